import { nameSource } from '../../../protocol/words/ids.ts'
import { findRun, guessName, teamsWithRuns } from '../../../runtime/runs/read-runs.ts'
import { type Host, type Flags, type Values, workingDirectory } from '../host/host.ts'
import { UserError } from '../host/user-error.ts'

/** Options that all commands about one run share. */
export type RunChoice = Flags<'json'> & Values<'cwd'>

/** The same where the run is named by an option. */
export type NamedRunChoice = RunChoice & Values<'run'>

const memberOfRun = new RegExp(`^(${nameSource})@(.+)$`)

/**
 * Splits a name that may be a member's: its run, and the member where one is named.
 *
 * @example memberAndRun('historian@release-notes') // { member: 'historian', run: 'release-notes' }
 */
export function memberAndRun(name: string | undefined) {
  const [, member = null, run = name] = memberOfRun.exec(name ?? '') ?? []
  return { member, run }
}

/**
 * The directory of the run that a person means: an id, the beginning of one, a directory or a team; the latest run
 * when nothing was said.
 * @throws UserError when there is none, or no such directory
 */
export function runDirectoryOf(
  run: string | undefined,
  { cwd }: Pick<RunChoice, 'cwd'>,
  host: Pick<Host, 'cwd'>,
): string {
  const place = workingDirectory(cwd, host)
  const dir = findRun(place, run)
  if (dir !== null) return dir
  throw new UserError(`there is no run${whichOf(run, place)}; troupe ps --all lists what there is`)
}

/** The words behind a name that nobody has: ` (did you mean "lead"?)`, or nothing. */
export function meantText(name: string, known: readonly string[]): string {
  const guess = guessName(name, known)
  return guess === undefined ? '' : ` (did you mean "${guess}"?)`
}

function whichOf(run: string | undefined, place: string): string {
  if (run === undefined) return ` in ${place}`
  return ` "${run}" in ${place}${meantText(run, teamsWithRuns(place))}`
}
