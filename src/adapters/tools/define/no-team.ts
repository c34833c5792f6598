import type { ToolContext } from '../../../protocol/tools/tool.ts'

/** Why a coordination tool cannot act, or null when the member belongs to a team. */
export function noTeam(context: Pick<ToolContext, 'team'>): string | null {
  return context.team ? null : 'This agent works alone: there is no team to talk to.'
}
