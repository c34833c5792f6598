import type { Approver } from '../../protocol/port.ts'
import type { ToolContext } from '../../protocol/tools/tool.ts'

/** How a member's own questions reach the person who answers for it; nothing where there is none. */
export function askOf(approver: Approver | null, member: string): Pick<ToolContext, 'ask'> {
  const ask = approver?.ask
  return ask ? { ask: (asked, signal) => ask({ ...asked, member }, signal) } : {}
}
