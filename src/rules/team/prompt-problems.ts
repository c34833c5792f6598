import type { UnhashedTeam } from '../../protocol/team/team-card.ts'
import type { TeamProblem } from './team-problem.ts'

/** The tools of this machine. */
interface KnownTools {
  readonly tools: readonly string[]
  readonly coordinatorTools: readonly string[]
}

/** Names of tools that are common words as well: only in backquotes, or before "tool", are they the tool. */
const words: ReadonlySet<string> = new Set(['Read', 'Write', 'Edit', 'Skill'])

/**
 * Finds a coordinator whose prompt wants tools that its partition does not let it hold: it would try them in vain, run after
 * run. A sentence that speaks of a worker says who is to use them.
 */
export function promptProblems(team: UnhashedTeam, known: KnownTools): readonly TeamProblem[] {
  const lead = team.members.find(({ role }) => role === 'coordinator')
  if (!lead || team.partition === 'relaxed') return []
  const domain = known.tools.filter((tool) => !known.coordinatorTools.includes(tool))
  const workers = team.members.flatMap(({ role, name, card }) => (role === 'worker' ? [name, card] : []))
  const own = lead.prompt
    .split(/[.;!?\n]/)
    .filter((sentence) => !['worker', ...workers].some((who) => sentence.includes(who)))
  const wanted = domain.filter((tool) => own.some((sentence) => isNamed(sentence, tool)))
  if (wanted.length === 0) return []
  const message = `the prompt of the coordinator speaks of ${wanted.join(', ')}, which it cannot hold: it decides what is done, workers do it`
  const hint = 'say who is to do that, or set partition: relaxed at the top of the file and give it the tool'
  return [{ severity: 'warning', code: 'prompt_beyond_partition', message, path: ['coordinator', 'prompt'], hint }]
}

/** `isNamed('Look with Grep', 'Grep')` → true, `isNamed('Write the answer', 'Write')` → false */
function isNamed(sentence: string, tool: string): boolean {
  const name = words.has(tool) ? `\\x60${tool}\\x60|\\b${tool} tool\\b` : `\\b${tool}\\b`
  return new RegExp(name).test(sentence)
}
