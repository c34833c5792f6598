import { nobodyApprover } from '../adapters/approvers/nobody.ts'
import { terminalApprover, type TerminalApproverOptions } from '../adapters/approvers/terminal.ts'
import type { Approver } from '../protocol/port.ts'

export type { TerminalApproverOptions }

/**
 * Who answers when the cascade says ask: a person at the given terminal, or nobody when there is none.
 *
 * `openApprover(null)` denies every question with the rule that would allow it.
 */
export function openApprover(terminal: TerminalApproverOptions | null): Approver {
  return terminal ? terminalApprover(terminal) : nobodyApprover()
}
