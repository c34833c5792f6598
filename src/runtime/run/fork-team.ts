import { readRun, unreadableRun } from '../../adapters/sessions/read-run.ts'
import { systemClock } from '../actors/clock.ts'
import { teamDifferences } from '../team-files/team-difference.ts'
import { changedTeam, stateChange, type ChangeOptions } from './change-team.ts'
import { forkRun, NotForkable, type ForkRunOptions } from './fork-run.ts'

/** Where a run is forked, and what the new run has otherwise. */
export type ForkTeamOptions = ForkRunOptions & Omit<ChangeOptions, 'clock' | 'onNote'>

/**
 * Forks a run as `forkRun` does, with another task or team for the new run alone. All of it is looked at before anything is
 * made; what is otherwise is a fact of the new run (`team.changed`).
 *
 * @param dir the run directory
 * @returns that of the new run, which nobody leads yet
 * @throws NotForkable; NotResumable or TeamFileError when the team cannot be that
 * @example await forkTeam(dir, { at: 'lead-17', with: [{ key: 'ana.prompt', value: 'Be brief.' }] })
 */
export async function forkTeam(dir: string, options: ForkTeamOptions): Promise<string> {
  const { run: file } = readRun(dir)
  if (!file) throw new NotForkable(unreadableRun(dir))
  const { clock = systemClock() } = options
  const team = await changedTeam(file, { ...options, clock })
  const fork = forkRun(dir, options)
  const { task = file.task } = options
  const changes = [...(task === file.task ? [] : ['task']), ...teamDifferences(file.team, team)]
  if (changes.length > 0) stateChange(fork, { team, changes }, clock)
  return fork
}
