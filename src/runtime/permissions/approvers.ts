import { terminalApprover, type TerminalApproverOptions } from '../../adapters/approvers/terminal.ts'
import type { Approver } from '../../protocol/port.ts'

export type { TerminalApproverOptions }

/**
 * A person at a terminal, who answers when the cascade says ask.
 *
 * `openApprover({ input: process.stdin, output: process.stderr, describe, pause, resume })`
 */
export function openApprover(terminal: TerminalApproverOptions): Approver {
  return terminalApprover(terminal)
}
