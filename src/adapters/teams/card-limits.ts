import type { CoordinatorFile, MemberCard, TeamFile, WorkerFile } from '../../protocol/team/team-card.ts'
import type { aroundFields } from '../../protocol/tools/around-work.ts'
import { advisorPlan } from '../../rules/team/advice.ts'
import { narrowLimits, type ToolLimit, type ToolLimits } from '../../rules/tools/tool-limit.ts'

/**
 * The limits of a member, where a card may only narrow those of its team, and the middleware around its work.
 *
 * @example limitsOf(worker, team).tool_limits // { Bash: { calls: 20, then: 'block' } }
 */
export function limitsOf(
  card: WorkerFile,
  team: TeamFile,
): Pick<MemberCard, 'tool_limits' | 'turn_output' | 'stuck' | keyof typeof aroundFields> {
  const said = narrowLimits(wholeLimits(team.tool_limits ?? {}), wholeLimits(card.tool_limits ?? {}))
  const limits = narrowLimits(said, adviceLimit(card))
  const output = Math.min(team.turn_output ?? Infinity, card.turn_output ?? Infinity)
  return {
    ...(Object.keys(limits).length === 0 ? {} : { tool_limits: limits }),
    ...(output === Infinity ? {} : { turn_output: output }),
    ...(team.stuck || card.stuck ? { stuck: { ...team.stuck, ...card.stuck } } : {}),
    ...aroundOf(card, team),
  }
}

/** The middleware of a member around that of its team; of tools that are shown late, its own word goes before the team's. */
function aroundOf(card: WorkerFile, team: TeamFile): Pick<MemberCard, keyof typeof aroundFields> {
  const middleware = [...(card.middleware ?? []), ...(team.middleware ?? [])]
  const { defer_tools = team.defer_tools, always_load = team.always_load } = card
  return {
    ...(middleware.length === 0 ? {} : { middleware }),
    ...(defer_tools === undefined ? {} : { defer_tools }),
    ...(always_load === undefined ? {} : { always_load }),
  }
}

function adviceLimit({ advisor }: CoordinatorFile): ToolLimits {
  return advisor === undefined ? {} : { Advisor: { calls: advisorPlan(advisor).max_uses, then: 'block' } }
}

function wholeLimits(limits: NonNullable<TeamFile['tool_limits']>): ToolLimits {
  const whole = Object.entries(limits).map(([tool, limit]): [string, ToolLimit] => {
    const { calls, then = 'block' } = typeof limit === 'number' ? { calls: limit } : limit
    return [tool, { calls, then }]
  })
  return Object.fromEntries(whole)
}
