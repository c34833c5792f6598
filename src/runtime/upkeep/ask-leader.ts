import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readRun, unreadableRun } from '../../adapters/sessions/read-run.ts'
import type { RunFile } from '../../protocol/team/run.ts'
import type { LifeAsk } from '../../protocol/work/life-ask.ts'
import { agentId, leaderName, personSender } from '../../protocol/words/ids.ts'
import { didYouMean } from '../../rules/tools/did-you-mean.ts'
import { ownPlace } from '../actors/own-place.ts'
import { openMailbox } from '../mail/open-mailbox.ts'
import { livingLeader } from '../runs/leader.ts'
import { findRun } from '../runs/read-runs.ts'

/** Between two looks at what the leader says. */
const lookMs = 100

/** A member of a run, as whoever wants something of its life names it. */
export interface MemberPlace {
  /** The run's id or the beginning of it, its directory, or the name of its team for the latest one. */
  readonly run: string
  readonly member: string
  /** Where its team works; default: the process's directory. */
  readonly cwd?: string
  /** Where the key of the run is; default: the user's directory. */
  readonly home?: string
}

/** A run, as its directory tells. */
interface MemberRun {
  readonly run: string
  readonly dir: string
  readonly file: RunFile
  readonly home: string
}

/** The run of a member. @throws when there is none */
export function runOfMember({ run, cwd = ownPlace.cwd, home = ownPlace.home }: MemberPlace): MemberRun {
  const dir = findRun(cwd, run)
  if (dir === null) throw new Error(`there is no run ${JSON.stringify(run)} in ${cwd}`)
  const { run: file } = readRun(dir)
  if (!file) throw new Error(unreadableRun(dir))
  return { run: basename(dir), dir, file, home }
}

/** @throws when nobody in the run has this name, with the nearest one */
export function refuseStranger(name: string, known: readonly { readonly name: string }[], noun: string): void {
  const names = known.map((each) => each.name)
  if (names.includes(name)) return
  const guess = didYouMean(name, names)
  const hint = guess === undefined ? '' : ` Did you mean "${guess}"?`
  throw new Error(`no ${noun} of this run is called "${name}".${hint} Its members: ${names.join(', ')}`)
}

interface Looking<Seen> {
  /** @param wish the id of the mail that asked */
  look(wish: string): Seen | null
  readonly withinMs: number
}

/**
 * Asks the leader of a run by mail and looks for what comes of it.
 * @returns null when nothing was seen in time, or the run ended before
 * @throws when the mail cannot be written
 */
export async function askLeader<Seen>(
  { dir, file, home }: MemberRun,
  ask: LifeAsk,
  { look, withinMs }: Looking<Seen>,
): Promise<Seen | null> {
  const box = openMailbox(dir, personSender, { home })
  try {
    const to = agentId(leaderName, file.team.name)
    const sent = box.send({ to, kind: 'control', body: JSON.stringify(ask), key: `${ask.ask}:${ask.member}` })
    if (!sent.ok) throw new Error(sent.error)
    for (let waited = 0; waited < withinMs; waited += lookMs) {
      const seen = look(sent.envelope.id)
      if (seen !== null) return seen
      if (!livingLeader(dir)) return null
      await pause(lookMs)
    }
    return null
  } finally {
    box.close()
  }
}
