import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { namesIn } from '../../adapters/fs/names-in.ts'
import { acquireLease, holderText, latestEpoch, type Holder } from '../../adapters/lease/lease.ts'
import { lifeOf, presumeDead, silenceMs, watchLives } from '../../adapters/lease/who-lives.ts'
import { ownMachine, ownProcess } from '../../adapters/process/liveness.ts'
import { currentSpec } from '../../protocol/facts/entry.ts'
import type { RunFile } from '../../protocol/team/run.ts'
import { isPersonOutbox, leaderName, namePattern } from '../../protocol/words/ids.ts'
import { isDead, lastLeader, leasesOf, ledText, livingHolder, livingLeader } from './leader.ts'
import { NotResumable } from './not-resumable.ts'

/** Words for a person about a wait or a risk. */
export type Say = (text: string) => void

/** The takeover of a run whose leader is gone. */
export interface TakeOver {
  readonly clock: { now(): number; mint(): string }
  /** Takes processes elsewhere for dead without a look. */
  readonly force?: boolean | undefined
  /** Hears why it takes time, and what is risked. */
  readonly onNote?: Say | undefined
}

/** The members of a run, its leader included, that live or may live. */
function livingIn(dir: string): readonly { readonly name: string; readonly holder: Holder }[] {
  return namesIn(leasesOf(dir)).flatMap((name) => {
    const holder = namePattern.test(name) && !isPersonOutbox(name) ? livingHolder(dir, name) : null
    return holder ? [{ name, holder }] : []
  })
}

/** Makes clear which processes of these runs live: those elsewhere are watched for a sign of life, ten seconds at most. */
export async function watchRuns(dirs: readonly string[], onNote?: Say): Promise<void> {
  const unclear = dirs.flatMap((dir) =>
    livingIn(dir).flatMap(({ holder }) =>
      lifeOf(leasesOf(dir), holder) === 'unclear' ? [{ dir: leasesOf(dir), process: holder }] : [],
    ),
  )
  const [first] = unclear
  if (!first) return
  onNote?.(`waiting up to ${silenceMs / 1000} s for a sign of life of ${holderText(first.process)}`)
  await watchLives(unclear)
}

/**
 * Refuses a run whose surroundings are not what they were, before anything is asked or spent.
 * @throws NotResumable naming what is missing; the run stays as it is
 */
function refuseFaults(dir: string, { cwd, spec }: RunFile): void {
  const id = basename(dir)
  if (spec !== currentSpec) {
    const can = 'its journals, costs, mail and worktrees can be read, and it can be removed'
    throw new NotResumable(`${id} has spec ${spec}, and this version leads on spec ${currentSpec}: ${can}`)
  }
  if (!existsSync(cwd)) {
    throw new NotResumable(`${id} works in ${cwd}, which is not there: move the folder back, then resume`)
  }
  for (const name of ['members', 'journal', 'mail']) {
    if (existsSync(join(dir, name))) continue
    throw new NotResumable(
      `${id} has no ${name}/ any more: a part of the run is lost; bring ${join(dir, name)} back, then resume`,
    )
  }
}

/**
 * Makes sure that a run may be led on: nobody leads it, and no member of it lives elsewhere. Whoever died elsewhere is
 * followed in every lease but the leader's, so that whoever begins next need not watch again.
 *
 * @throws NotResumable naming the process that lives, and how to go on all the same
 */
export async function takeOver(dir: string, run: RunFile, { clock, force = false, onNote }: TakeOver): Promise<void> {
  const id = basename(dir)
  refuseFaults(dir, run)
  if (force) presumeElsewhereDead(dir, onNote)
  else await watchRuns([dir], onNote)
  const leader = livingLeader(dir)
  if (leader) throw new NotResumable(`${ledText(id, leader)}; ${wayOut(leader, 'troupe logs -f shows it')}`)
  if (isBeginning(dir, run))
    throw new NotResumable(`${id} is about to be led by process ${run.leader.pid}, which made it`)
  const [member] = livingElsewhere(dir)
  if (member) {
    const { name, holder } = member
    throw new NotResumable(`${name} of ${id} is ${holderText(holder)}; ${wayOut(holder, '')}`)
  }
  for (const name of namesIn(leasesOf(dir))) followDead(dir, name, clock)
}

/** The members of a run that live, or may live, where this process cannot reach them. */
export function livingElsewhere(dir: string): ReturnType<typeof livingIn> {
  return livingIn(dir).filter(({ holder }) => isElsewhere(holder))
}

function isElsewhere({ machine }: Holder): boolean {
  return machine !== ownMachine()
}

function wayOut(holder: Holder, here: string): string {
  return isElsewhere(holder) ? 'end it there, or take it for dead with --force' : here
}

function presumeElsewhereDead(dir: string, onNote: Say | undefined): void {
  for (const { name, holder } of livingElsewhere(dir)) {
    presumeDead(leasesOf(dir), holder)
    onNote?.(
      `${name} is taken from ${holderText(holder)}; if that lives, it records nothing more, and what it is doing now may be done twice`,
    )
  }
}

/** The process that made the run lives and does not lead it yet; a detached leader is a child of the process that made its run. */
function isBeginning(dir: string, { leader }: RunFile): boolean {
  if (lastLeader(dir) !== null || isDead(dir, leader)) return false
  return leader.pid !== ownProcess().pid && leader.pid !== process.ppid
}

function followDead(dir: string, name: string, { mint, now }: TakeOver['clock']): void {
  const holder = latestEpoch(join(leasesOf(dir), name))?.holder
  if (name === leaderName || !holder || holder.released || !isElsewhere(holder)) return
  acquireLease({ dir: leasesOf(dir), name, incarnation: mint(), now }).release()
}
