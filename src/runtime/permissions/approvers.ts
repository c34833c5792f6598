import {
  terminalApprover,
  type TerminalApprover,
  type TerminalApproverOptions,
} from '../../adapters/approvers/terminal.ts'

export type { TerminalApprover, TerminalApproverOptions }

/**
 * A person at a terminal, who answers when the cascade says ask.
 *
 * `openApprover({ input: process.stdin, screen, describe, interrupt, suspend })`
 */
export function openApprover(terminal: TerminalApproverOptions): TerminalApprover {
  return terminalApprover(terminal)
}
