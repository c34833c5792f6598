import type { MemberCard, UnhashedTeam } from '../../protocol/team/team-card.ts'
import { boardProblems } from './board-problems.ts'
import { serverOf } from '../mcp/tool-names.ts'
import { boardTools } from './coordinator-tools.ts'
import { gatherProblems } from './gather-problems.ts'
import { modelProblems, type KnownModels } from './model-problems.ts'
import { promptProblems } from './prompt-problems.ts'
import { placeProblems, type KnownPlaces } from './place-problems.ts'
import { cardPath, nameHint, oncePerCard, type TeamProblem } from './team-problem.ts'
import { workProblems } from './work-problems.ts'

/** The tools, models and executors of this machine. */
export interface Known extends KnownModels, KnownPlaces {
  readonly tools: readonly string[]
  readonly coordinatorTools: readonly string[]
}

/** The coordination tools that workers may be given. */
const sharedTools: readonly string[] = ['Delegate', 'SendMessage', 'AskUser', ...boardTools]

/**
 * Finds what a schema cannot see: tools that do not exist or cannot be granted, a coordinator that would do
 * the work itself, models without provider or credential, budgets too small to begin with. Replicas of a card are
 * reported once. What permissions say is judged in `team-permissions.ts`.
 *
 * @returns Problems with the key path in the team file, such as `['workers', 'writer', 'tools', 1]`.
 * @example checkTeam(team, { tools: ['Read'], coordinatorTools: ['Delegate'], providers: ['scripted'], credentials: {} })
 */
export function checkTeam(team: UnhashedTeam, known: Known): readonly TeamProblem[] {
  const cards = oncePerCard(team.members)
  return [
    ...cards.flatMap((member) => toolProblems(member, team, known)),
    ...gatherProblems(team),
    ...promptProblems(team, known),
    ...boardProblems(team),
    ...limitProblems(team, cards, known),
    ...cards.flatMap((member) => aroundProblems(member, known)),
    ...workProblems(cards),
    ...modelProblems(cards, known),
    ...cards.flatMap((member) => placeProblems(member, known)),
    ...budgetProblems(team),
    ...cards.flatMap(unwatchedBudget),
    ...modeProblems(team, cards),
  ]
}

function toolProblems(member: MemberCard, team: UnhashedTeam, known: Known): TeamProblem[] {
  return member.tools.flatMap((tool, i) => {
    const path = [...cardPath(member), 'tools', i]
    const coordinates = known.coordinatorTools.includes(tool)
    if (serverOf(tool) !== null) return serverProblems(tool, { member, team, path })
    if (!coordinates && !known.tools.includes(tool)) return [unknownTool(tool, path, grantable(member, known))]
    if (boardTools.includes(tool) && !team.tasks) return [boardless(tool, path)]
    if (member.role === 'coordinator')
      return coordinates || tool === 'Skill' ? [] : [domainTool(tool, path, team.partition)]
    if (!coordinates || sharedTools.includes(tool)) return []
    const message = `worker "${member.card}" cannot be given ${tool}: it belongs to the coordinator`
    return [{ severity: 'error', code: 'tool_not_grantable', message, path }]
  })
}

interface Wanted {
  readonly member: MemberCard
  readonly team: UnhashedTeam
  readonly path: TeamProblem['path']
}

/** Which tools a server has is only known when it runs; whether there is such a server is known now. */
function serverProblems(tool: string, { member, team, path }: Wanted): TeamProblem[] {
  const server = serverOf(tool) ?? ''
  const known = Object.keys(team.mcp_servers ?? {})
  if (!known.includes(server)) {
    const message = `there is no MCP server called "${server}"`
    const cure = 'add it to mcp_servers of the team or to .mcp.json; troupe mcp list shows all'
    const hint = nameHint(server, known, cure)
    return [{ severity: 'error', code: 'unknown_mcp_server', message, path, hint }]
  }
  return member.role === 'coordinator' ? [domainTool(tool, path, team.partition)] : []
}

/** A limit on a tool that nobody has would be a comfort without cause. */
function limitProblems(team: UnhashedTeam, cards: readonly MemberCard[], known: Known): TeamProblem[] {
  const everyTool = [...known.coordinatorTools, ...known.tools]
  const seen = new Set<string>()
  return cards.flatMap((member) =>
    Object.keys(member.tool_limits ?? {}).flatMap((tool): TeamProblem[] => {
      if (everyTool.includes(tool) || serverOf(tool) !== null || team.http_tools?.[tool] || seen.has(tool)) return []
      seen.add(tool)
      return [{ ...unknownTool(tool, ['tool_limits', tool], everyTool) }]
    }),
  )
}

/** Tools that are named for middleware, or to be shown late, and that the member does not have. */
function aroundProblems(member: MemberCard, known: Known): TeamProblem[] {
  const { middleware = [], defer_tools: deferred, always_load: shown = [] } = member
  const named = [
    ...middleware.flatMap(({ dedup_tools: { tools } = { tools: [] }, persist_results: { except = [] } = {} }) => [
      ...tools,
      ...except,
    ]),
    ...(Array.isArray(deferred) ? deferred : []),
    ...shown,
  ]
  const all = [...member.tools, ...known.coordinatorTools, ...known.tools]
  const unknown = [...new Set(named)].filter((tool) => !all.includes(tool) && serverOf(tool) === null)
  return unknown.map((tool) => unknownTool(tool, cardPath(member), all))
}

function grantable(member: MemberCard, known: Known): readonly string[] {
  if (member.role === 'coordinator') return [...known.coordinatorTools, ...known.tools]
  return known.tools.filter((tool) => sharedTools.includes(tool) || !known.coordinatorTools.includes(tool))
}

function boardless(tool: string, path: TeamProblem['path']): TeamProblem {
  const message = `${tool} needs a task board, which this team does not have`
  return { severity: 'error', code: 'no_task_board', message, path, hint: 'add `tasks: {}` to the team' }
}

function unknownTool(tool: string, path: TeamProblem['path'], candidates: readonly string[]): TeamProblem {
  const hint = nameHint(tool, candidates)
  return { severity: 'error', code: 'unknown_tool', message: `there is no tool "${tool}"`, path, hint }
}

function domainTool(tool: string, path: TeamProblem['path'], partition: UnhashedTeam['partition']): TeamProblem {
  const shared = { code: 'coordinator_domain_tool', path }
  if (partition === 'relaxed') {
    const message = `the coordinator holds ${tool} and may do the work instead of delegating it`
    return { severity: 'warning', message, ...shared }
  }
  const message = `the coordinator cannot hold ${tool}: it decides what is done, workers do it`
  return {
    severity: 'error',
    message,
    ...shared,
    hint: 'give the tool to a worker, or set partition: relaxed at the top of the file',
  }
}

/** A member that can never have a turn is a mistake, not a saving. */
function budgetProblems(team: UnhashedTeam): TeamProblem[] {
  const needed = team.members.length
  const { turns = Infinity, agents = Infinity } = team.budget
  const small = { severity: 'error', code: 'budget_too_small' } as const
  return [
    ...(turns >= needed ? [] : [{ ...small, ...tooFewTurns(turns, needed) }]),
    ...(agents >= 2 ? [] : [{ ...small, ...noWorkers(agents) }]),
    ...(agents < 2 || agents >= needed ? [] : [neverAll(agents, needed)]),
  ]
}

function tooFewTurns(given: number, needed: number): Omit<TeamProblem, 'severity' | 'code'> {
  const message = `a budget of ${given} turns does not cover one turn of each of the ${needed} members`
  return { message, path: ['budget', 'turns'], hint: `give at least ${needed}` }
}

function noWorkers(given: number): Omit<TeamProblem, 'severity' | 'code'> {
  const message = `a budget of ${given} agents is used up by the coordinator: no worker can be started`
  return { message, path: ['budget', 'agents'], hint: 'give at least 2' }
}

/** Wanted where the coordinator is to choose a few of many. */
function neverAll(given: number, members: number): TeamProblem {
  const message = `a budget of ${given} agents lets at most ${given - 1} of the ${members - 1} workers be started in one run`
  return { severity: 'warning', code: 'budget_below_members', message, path: ['budget', 'agents'] }
}

/** A limit on started agents counts for the team alone: one of a single member would be read and not watched. */
function unwatchedBudget(member: MemberCard): TeamProblem[] {
  if (member.budget.agents === undefined) return []
  const message = `"${member.card}" starts nobody: how many members may be started is limited for the team`
  const path = [...cardPath(member), 'budget', 'agents']
  return [{ severity: 'warning', code: 'budget_not_enforced', message, path, hint: 'set it in the budget of the team' }]
}

/** A file cannot enter the mode that asks nothing: it would be dropped without a word. */
function modeProblems({ permissions }: UnhashedTeam, cards: readonly MemberCard[]): TeamProblem[] {
  const said = [{ permissions, path: [] }, ...cards.map((card) => ({ ...card, path: cardPath(card) }))]
  return said.flatMap(({ permissions: { mode }, path }): TeamProblem[] => {
    if (mode !== 'bypassPermissions') return []
    const message = 'bypassPermissions is entered from the command line only'
    const hint = 'the file has no effect without --dangerously-skip-permissions'
    return [{ severity: 'warning', code: 'mode_not_entered', message, path: [...path, 'permissions', 'mode'], hint }]
  })
}
