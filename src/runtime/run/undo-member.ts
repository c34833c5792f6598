import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contentHash } from '../../adapters/fs/content-hash.ts'
import { LeaseHeld } from '../../adapters/lease/lease.ts'
import { readJournal } from '../../adapters/sessions/read-journal.ts'
import { readRun, unreadableRun } from '../../adapters/sessions/read-run.ts'
import { runDirectory, type RunDirectory } from '../../adapters/sessions/run-directory.ts'
import { restoreFile, stateOnDisk } from '../../adapters/tools/changes/restore-file.ts'
import { checkpointsOf, type TurnPoint } from '../../projections/member/checkpoints.ts'
import type { Entry } from '../../protocol/facts/entry.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import { logOf } from '../../rules/conversation/context-window.ts'
import { planUndo, type ToldChange, type Restoring, type UndoPlan } from '../../rules/undo/plan-undo.ts'
import { didYouMean } from '../../rules/tools/did-you-mean.ts'
import { systemClock } from '../actors/clock.ts'
import { agentFold } from '../agent/agent-store.ts'
import { openOwned } from '../journals/ledger.ts'
import { memberFold } from '../member/member-store.ts'
import { UsageError } from '../../protocol/words/usage-error.ts'

/** Turns of a member could not be taken back, and everything that stands in the way. */
export class NotUndone extends UsageError {
  override readonly name = 'NotUndone'
}

/** A checkpoint as people see it. */
export interface ListedCheckpoint {
  /** 1 for the oldest that is still there. */
  readonly number: number
  readonly name: string | null
  /** The entry of the answer that began the turn. */
  readonly from: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly files: readonly string[]
  /** Why it cannot be taken back; null when nothing is known against it. */
  readonly untaken: string | null
}

/** The outcome of an undo. */
export interface Undone {
  readonly checkpoint: ListedCheckpoint
  /** The files that have another content now. */
  readonly restored: readonly string[]
  /** Mail that the member had sent since, which stays sent: recipient and beginning. */
  readonly sent: readonly string[]
}

/**
 * The checkpoints of a member: the turns that changed files, the oldest first.
 * @throws NotUndone when there is no such run or member
 * @example listCheckpoints(dir, 'lead').at(-1)?.files
 */
export function listCheckpoints(dir: string, member: string): readonly ListedCheckpoint[] {
  return checkpointsOf(journalOf(openRun(dir, member), member)).map(listed)
}

/**
 * Takes a member back to a checkpoint: its files and what it remembers, together. Nothing is changed unless everything can be.
 * Mail that came since is shown to it again; what it sent stays sent.
 *
 * @param to a checkpoint's number or name; the latest when left out
 * @throws NotUndone with everything that stands in the way
 * @example const { restored, sent } = undoMember(dir, { member: 'lead', to: '3' })
 */
export function undoMember(dir: string, wish: { readonly member: string; readonly to?: string | undefined }): Undone {
  const { member, to } = wish
  const run = openRun(dir, member)
  return owning(run, member, (append) => {
    const entries = journalOf(run, member)
    const points = checkpointsOf(entries)
    const place = placeOf(points, { member, to })
    const gone = points.slice(place)
    const [point] = gone
    if (!point) throw new NotUndone(`${member} has changed no files that could be taken back`)
    const { restore } = planned(run, member, gone)
    restoreAll(restore, run.artifacts)
    const restored = restore.map(({ path }) => path)
    const sent = sentSince(entries, point.from)
    append({
      type: 'turns.undone',
      from: point.from,
      files: restored,
      ...past(entries, point),
      note: noteOf(restored, sent),
    })
    return { checkpoint: listed(point, place), restored, sent }
  })
}

/**
 * Gives a checkpoint a name, by which `undoMember` finds it.
 * @throws NotUndone when there is no such checkpoint, or another one has that name
 * @example nameCheckpoint(dir, { member: 'lead', name: 'before the move' })
 */
export function nameCheckpoint(
  dir: string,
  { member, name, at }: { readonly member: string; readonly name: string; readonly at?: string | undefined },
): ListedCheckpoint {
  const run = openRun(dir, member)
  if (name.trim() === '' || /^\d+$/.test(name)) throw new NotUndone('a name needs a letter: numbers are taken already')
  return owning(run, member, (append) => {
    const points = checkpointsOf(journalOf(run, member))
    const place = placeOf(points, { member, to: at })
    const point = points[place]
    if (!point) throw new NotUndone(`${member} has no checkpoint yet`)
    if (points.some((each) => each !== point && each.name === name))
      throw new NotUndone(`another checkpoint of ${member} is called "${name}" already`)
    append({ type: 'checkpoint.named', from: point.from, name })
    return { ...listed(point, place), name }
  })
}

interface OpenedRun extends RunDirectory {
  readonly members: readonly string[]
}

function openRun(dir: string, member: string): OpenedRun {
  const { run: file } = readRun(dir)
  if (!file) throw new NotUndone(unreadableRun(dir))
  const members = file.team.members.map(({ name }) => name)
  if (members.includes(member)) return { ...runDirectory(dir, file.team), members }
  const guess = didYouMean(member, members)
  const hint = guess === undefined ? '' : ` Did you mean "${guess}"?`
  throw new NotUndone(`${member} is no member of ${file.run}.${hint} Members: ${members.join(', ')}.`)
}

function journalOf(run: RunDirectory, member: string): readonly Entry[] {
  return readJournal(run.journalFile(member)).entries
}

/** Becomes the owner of the member's journal for a moment. */
function owning<Done>(run: RunDirectory, member: string, act: (append: (fact: Fact) => void) => Done): Done {
  const clock = systemClock()
  try {
    const { journal } = openOwned({ run, clock }, { owner: member, incarnation: clock.mint() }, memberFold)
    try {
      return act((fact) => void journal.append([fact]))
    } finally {
      journal.close()
    }
  } catch (error) {
    if (!(error instanceof LeaseHeld)) throw error
    throw new NotUndone(
      `${member} is at work: end the run with troupe stop first, and go on with troupe resume afterwards`,
    )
  }
}

function placeOf(
  points: readonly TurnPoint[],
  { member, to }: { readonly member: string; readonly to?: string | undefined },
): number {
  if (to === undefined) return points.length - 1
  const place = points.findIndex(({ name }, index) => name === to || String(index + 1) === to)
  if (place !== -1) return place
  const known = points.length === 0 ? 'it has none' : `it has 1 to ${points.length}`
  throw new NotUndone(`${member} has no checkpoint "${to}": ${known}; troupe undo --list shows them`)
}

/** @throws NotUndone when anything stands in the way */
function planned(run: OpenedRun, member: string, gone: readonly TurnPoint[]): UndoPlan {
  const toldBy = (name: string, points: readonly TurnPoint[]): ToldChange[] =>
    points.flatMap(({ changes }) => changes.map((change) => ({ ...change, member: name })))
  const others = run.members
    .filter((name) => name !== member)
    .flatMap((name) => toldBy(name, checkpointsOf(journalOf(run, name))))
    .toSorted((a, b) => a.at - b.at)
  const plan = planUndo(toldBy(member, gone), others, stateOnDisk)
  const untaken = gone.flatMap(({ from, untaken: reasons }) => reasons.map((why) => `the turn ${from}: ${why}`))
  const lost = plan.restore.flatMap(({ path, wanted }) =>
    wanted === null || isKept(run, wanted.sha256) ? [] : [`the old content of ${path} was not kept`],
  )
  const obstacles = [...untaken, ...plan.obstacles, ...lost]
  if (obstacles.length === 0) return plan
  throw new NotUndone(`Nothing was taken back. In the way:\n${obstacles.map((each) => `  ${each}`).join('\n')}`)
}

/** A power cut may have taken a content that was kept a moment before. */
function isKept({ artifacts }: RunDirectory, sha256: string): boolean {
  const kept = join(artifacts, sha256)
  return existsSync(kept) && contentHash(readFileSync(kept)) === sha256
}

/** Files that go are removed first: a directory may stand where a file was. An undo that broke off goes on when it is asked for again. */
function restoreAll(restore: readonly Restoring[], kept: string): void {
  const inOrder = [
    ...restore.filter(({ wanted }) => wanted === null),
    ...restore.filter(({ wanted }) => wanted !== null),
  ]
  for (const { path, wanted } of inOrder) {
    try {
      restoreFile(path, wanted, kept)
    } catch (error) {
      const why = `${path} could not be taken back: ${errorText(error)}`
      throw new NotUndone(
        `${why}\nMend that and undo again; files before it are back already, the conversation is as it was.`,
      )
    }
  }
}

/**
 * The todo list and the plan before the checkpoint. The conversation, too, where it was made shorter since: the member no
 * longer knows it whole.
 */
function past(entries: readonly Entry[], { from }: TurnPoint) {
  const place = entries.findIndex(({ id }) => id === from)
  const fold = agentFold('life')
  const before = fold.empty()
  for (const entry of entries.slice(0, place)) fold.apply(before, entry)
  const { todos, plan } = before.story.arranged
  const isChanged = entries.slice(place).some(({ type }) => type === 'context.compacted' || type === 'turns.undone')
  return {
    ...(isChanged && { messages: logOf(before.conversation).map((each) => ({ ...each })) }),
    ...(todos.length > 0 && { todos: [...todos] }),
    ...(plan !== null && { plan }),
  }
}

function sentSince(entries: readonly Entry[], from: string): readonly string[] {
  const place = entries.findIndex(({ id }) => id === from)
  return entries.slice(place).flatMap((entry) => {
    if (entry.type !== 'mail.sent') return []
    const { to, body } = entry.envelope
    return [`${to}: ${body.replaceAll(/\s+/g, ' ').slice(0, 80)}`]
  })
}

function noteOf(restored: readonly string[], sent: readonly string[]): string {
  const files =
    restored.length === 0 ? 'No file had to be changed for it.' : `As before are again: ${restored.join(', ')}.`
  const mail = sent.length === 0 ? [] : ['What you have sent since stays sent:', ...sent.map((each) => `- ${each}`)]
  return [
    '[A person took back your latest work, and you do not remember it.',
    files,
    ...mail,
    'Read files again before you change them.]',
  ].join('\n')
}

function listed({ from, at, name, changes, untaken }: TurnPoint, index: number): ListedCheckpoint {
  const files = [...new Set(changes.map(({ path }) => path))]
  return { number: index + 1, name, from, at, files, untaken: untaken.length === 0 ? null : untaken.join('; ') }
}
