import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { LeaseHeld } from '../../adapters/lease/lease.ts'
import { mailFold } from '../../adapters/mailbox/files/mail-memory.ts'
import { namesIn } from '../../adapters/fs/names-in.ts'
import { readRunFile } from '../../adapters/sessions/read-run.ts'
import { runDirectory, type RunDirectory } from '../../adapters/sessions/run-directory.ts'
import { retentionPolicy, type RetentionPolicy } from '../../protocol/team/retention.ts'
import { isPersonOutbox } from '../../protocol/words/ids.ts'
import type { Clock } from '../actors/clock.ts'
import { openOwned } from '../journals/ledger.ts'
import { openTeamJournal } from '../journals/team-journal.ts'
import { endedAt } from '../runs/read-runs.ts'

type Time = Pick<Clock, 'now' | 'mint'>

/**
 * Takes away what an ended run keeps for people and for repeated sends, once its team's retention is over. A run that goes on,
 * was interrupted or was opened again keeps all of it: the run's journal is owned meanwhile, so that nobody leads it on.
 *
 * @returns the number of files that were removed, journals of senders and their leases included
 * @example clearLeftovers(dir, systemClock())
 */
export function clearLeftovers(dir: string, clock: Time): number {
  const file = readRunFile(dir)
  const ended = endedAt(dir)
  if (!file || ended === null) return 0
  const run = runDirectory(dir, file.team)
  const over = overIn(file.team.retention ?? retentionPolicy(), clock.now() - ended)
  if (filesOf(run, over).length + sendersOf(run, over).length === 0) return 0
  try {
    const { journal, state } = openTeamJournal({ run, clock }, clock.mint())
    try {
      // A person may have opened the run again since.
      return state.end === null ? 0 : remove(run, over, clock)
    } finally {
      journal.close()
    }
  } catch (error) {
    if (error instanceof LeaseHeld) return 0
    throw error
  }
}

/** The kinds whose time is over. */
type Over = Readonly<Record<'artifacts' | 'letters' | 'keys', boolean>>

function overIn({ artifacts_ms, dead_letters_ms, keys_ms }: RetentionPolicy, age: number): Over {
  return { artifacts: age >= artifacts_ms, letters: age >= dead_letters_ms, keys: age >= keys_ms }
}

function remove(run: RunDirectory, over: Over, clock: Time): number {
  const files = filesOf(run, over)
  for (const file of files) rmSync(file, { recursive: true, force: true })
  return sendersOf(run, over).reduce((sum, sender) => sum + forgetSender(run, sender, clock), files.length)
}

function filesOf(run: RunDirectory, { artifacts, letters }: Over): readonly string[] {
  const dead = letters ? namesIn(run.mail).map((name) => join(run.mail, name, 'dead')) : []
  const folders = [...(artifacts ? [run.artifacts] : []), ...dead]
  return folders.flatMap((folder) => namesIn(folder).map((name) => join(folder, name)))
}

/** People who sent under a key. */
function sendersOf({ dir, lease }: RunDirectory, { keys }: Over): readonly string[] {
  if (!keys) return []
  const journals = namesIn(join(dir, 'journal')).map(ownerOfFile)
  return [...new Set([...journals, ...namesIn(lease)])].filter(isPersonOutbox)
}

/** Segments, checkpoints and torn ends are called after their journal. */
function ownerOfFile(file: string): string {
  return file.split('.', 1)[0] ?? ''
}

/** Under its lease, so that a process that sends under the key in this moment is refused, and finds nothing half removed. */
function forgetSender(run: RunDirectory, sender: string, clock: Time): number {
  try {
    const { journal } = openOwned({ run, clock }, { owner: sender, incarnation: clock.mint() }, mailFold)
    const folder = join(run.dir, 'journal')
    const files = readdirSync(folder).filter((file) => ownerOfFile(file) === sender)
    for (const file of files) rmSync(join(folder, file), { force: true })
    journal.close()
    rmSync(join(run.lease, sender), { recursive: true, force: true })
    return files.length + 1
  } catch (error) {
    if (error instanceof LeaseHeld) return 0
    throw error
  }
}
