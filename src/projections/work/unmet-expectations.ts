import type { Recorded } from '../../protocol/facts/entry.ts'
import type { RunResult } from '../../protocol/team/run.ts'
import { answerFlags, type Expectations } from '../../protocol/team/team-test.ts'
import { memberName } from '../../protocol/words/ids.ts'
import { workDone, type WorkDone } from './pieces-of-work.ts'

/** A run that was tested. */
export interface TestedRun {
  readonly result: RunResult
  readonly recorded: readonly Recorded[]
  readonly cwd: string
  /** Holds a text against a pattern, which may be one that never comes to an end; null where it took too long. */
  readonly match: (pattern: RegExp, text: string) => boolean | null
}

/** An assertion that does not hold: its key in the test file, and what was instead. */
export interface UnmetExpectation {
  readonly key: string
  readonly message: string
}

/**
 * Holds a run against the assertions of a test.
 * @returns the assertions that do not hold; none for a run that passes
 * @example unmetExpectations({ turns_below: 5 }, run).map(({ message }) => message)
 */
export function unmetExpectations(expected: Expectations, run: TestedRun): readonly UnmetExpectation[] {
  const work = workDone(run.recorded)
  const unmet = [
    ...endOf(expected, run),
    ...answerOf(expected, run),
    ...toolsOf(expected, work),
    ...filesOf(expected, { work, cwd: run.cwd }),
    ...boundsOf(expected, run.result),
    ...peopleOf(expected, run.recorded),
  ]
  return unmet.map(([key, message]) => ({ key, message }))
}

type Said = readonly (readonly [key: string, message: string])[]

function where(isUnmet: boolean, key: string, message: () => string): Said {
  return isUnmet ? [[key, message()]] : []
}

function endOf({ status = 'completed', denied = 'none' }: Expectations, { result }: TestedRun): Said {
  const calls = result.denied.map(({ member, tool, reason }) => `${member}: ${tool}: ${reason}`)
  return [
    ...where(
      result.status !== status,
      'status',
      () => `the run ended as ${result.status} (${result.reason}), not as ${status}`,
    ),
    ...where(denied === 'none' && calls.length > 0, 'denied', () => `calls were denied: ${calls.join('; ')}`),
    ...where(denied === 'some' && calls.length === 0, 'denied', () => 'no call was denied'),
  ]
}

function answerOf(
  { answer: { contains = [], matches, equals } = {} }: Expectations,
  { result, match }: TestedRun,
): Said {
  const answer = result.result ?? ''
  const said = JSON.stringify(answer.length > 200 ? `${answer.slice(0, 200)}…` : answer)
  const lacks = contains.flatMap((text) =>
    where(
      !answer.includes(text),
      'answer.contains',
      () => `${JSON.stringify(text)} does not stand in the answer ${said}`,
    ),
  )
  const isMatch = matches === undefined || match(new RegExp(matches, answerFlags), answer)
  return [
    ...lacks,
    ...where(isMatch !== true, 'answer.matches', () =>
      isMatch === null
        ? `${matches} takes too long on the answer ${said}: write it without repetitions in repetitions`
        : `the answer ${said} does not match ${matches}`,
    ),
    ...where(equals !== undefined && equals.trim() !== answer.trim(), 'answer.equals', () => `the answer is ${said}`),
  ]
}

function toolsOf({ tools: { used = [], unused = [] } = {} }: Expectations, { pieces }: WorkDone): Said {
  const steps = pieces.flatMap((piece) => piece.steps)
  const did = new Set(steps.filter(({ ending }) => ending === 'done').map(({ tool }) => tool))
  return [
    ...used.flatMap((tool) => {
      const ending = steps.find((step) => step.tool === tool)?.ending
      return where(
        !did.has(tool),
        'tools.used',
        () => `${tool} ${ending === undefined ? 'was not called' : `was called, and ended as ${ending}`}`,
      )
    }),
    ...unused.flatMap((tool) => {
      const step = steps.find((each) => each.tool === tool)
      return where(step !== undefined, 'tools.unused', () => `${tool} was called: ${step?.label} (${step?.entry})`)
    }),
  ]
}

function filesOf(
  { files: { changed = [], unchanged = [] } = {} }: Expectations,
  { work, cwd }: { readonly work: WorkDone; readonly cwd: string },
): Said {
  const paths = [...work.files.keys()].map((path) => (path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path))
  return [
    ...changed.flatMap((path) =>
      where(
        !paths.includes(path),
        'files.changed',
        () => `${path} was not changed; changed: ${paths.join(', ') || 'nothing'}`,
      ),
    ),
    ...unchanged.flatMap((path) => where(paths.includes(path), 'files.unchanged', () => `${path} was changed`)),
  ]
}

function boundsOf({ cost_below: cost, turns_below: most }: Expectations, { cost_usd, members }: RunResult): Said {
  const turns = members.reduce((sum, member) => sum + member.turns, 0)
  return [
    ...where(cost !== undefined && (cost_usd === null || cost_usd >= cost), 'cost_below', () =>
      cost_usd === null ? 'the cost is not known: a model has no price' : `the run cost $${cost_usd}`,
    ),
    ...where(most !== undefined && turns >= most, 'turns_below', () => `the run took ${turns} turns`),
  ]
}

function peopleOf({ members, mail = [] }: Expectations, recorded: readonly Recorded[]): Said {
  const sent = recorded.flatMap(({ entry }) => (entry.type === 'mail.sent' ? [entry.envelope] : []))
  const isSent = ({ from, to, contains = '' }: (typeof mail)[number]): boolean =>
    sent.some((each) => nameOf(each.from) === from && nameOf(each.to) === to && each.body.includes(contains))
  const [are, should] = [workedIn(recorded).join(', '), members?.toSorted(byName).join(', ')]
  return [
    ...where(
      should !== undefined && are !== should,
      'members',
      () => `members that worked: ${are}; expected: ${should}`,
    ),
    ...mail.flatMap((each) =>
      where(
        !isSent(each),
        'mail',
        () =>
          `no mail from ${each.from} to ${each.to}${each.contains === undefined ? '' : ` with ${JSON.stringify(each.contains)}`}`,
      ),
    ),
  ]
}

/** Members that worked, by name. */
function workedIn(recorded: readonly Recorded[]): readonly string[] {
  const owners = recorded.flatMap(({ owner, entry }) => (entry.type === 'agent.started' ? [owner] : []))
  return [...new Set(owners)].toSorted(byName)
}

/**
 * The value that an assertion would have to have, for those that a run says exactly: the status, the whole answer, the members,
 * and whether calls were denied. Texts, patterns, tools, files and bounds are what a person asks of a run.
 *
 * @returns null for the others
 * @example saidExactly('status', run) // 'completed'
 */
export function saidExactly(key: string, { result, recorded }: TestedRun): string | readonly string[] | null {
  switch (key) {
    case 'status':
      return result.status
    case 'answer.equals':
      return result.result ?? ''
    case 'members':
      return workedIn(recorded)
    case 'denied':
      return result.denied.length > 0 ? 'some' : 'none'
    default:
      return null
  }
}

function nameOf(id: string): string {
  return id.includes('@') ? memberName(id as `${string}@${string}`) : id
}

function byName(a: string, b: string): number {
  return a < b ? -1 : 1
}
