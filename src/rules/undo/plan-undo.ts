import type { FileDifference, FileState } from '../../protocol/facts/change-fact.ts'

/** A change that a journal tells of. */
export interface ToldChange extends FileDifference {
  readonly member: string
  /** When it was told. */
  readonly at: number
  /** When the command began that it was found behind; absent for a file tool, which tells of its change itself. */
  readonly since?: number | undefined
}

/** A file that has to have another content again. */
export interface Restoring {
  readonly path: string
  /** The content that is there now. */
  readonly now: FileState
  readonly wanted: FileState
}

/** The files that have to change, or in words everything that stands in the way. */
export interface UndoPlan {
  readonly restore: readonly Restoring[]
  readonly obstacles: readonly string[]
}

/**
 * Plans how a member's changes are taken back. A file is touched only when its content is the one that the member left, and
 * nobody else changed it between the member's own changes.
 *
 * @param own the member's changes that go, in their order
 * @param others the changes of other members of the run
 * @param stateOf the state of a file now
 * @example planUndo(own, others, (path) => stateOnDisk(path))
 */
export function planUndo(
  own: readonly ToldChange[],
  others: readonly ToldChange[],
  stateOf: (path: string) => FileState,
): UndoPlan {
  const restore: Restoring[] = []
  const obstacles: string[] = []
  for (const [path, changes] of byPath(own)) {
    const elsewhere = others.filter((each) => each.path === path)
    const mine = changes.filter((change) => !isOnlyTheirs(change, elsewhere))
    const [first, last] = [mine[0], mine.at(-1)]
    if (!first || !last) continue
    const now = stateOf(path)
    const shared = mine.flatMap((change) => elsewhere.filter((other) => overlaps(change, other)))[0]
    const broken = mine.find((change, index) => index > 0 && !isSame(change.before, mine[index - 1]?.after ?? null))
    if (isSame(now, first.before) && now?.mode === first.before?.mode) continue
    if (shared) obstacles.push(`${path} was changed by ${shared.member} at the same time`)
    else if (broken) obstacles.push(`${path} was changed in between by ${whoLeft(broken.before, elsewhere)}`)
    else if (!isSame(now, last.after)) obstacles.push(`${path} was changed since by ${whoLeft(now, elsewhere)}`)
    else restore.push({ path, now, wanted: first.before })
  }
  return { restore, obstacles }
}

function byPath(changes: readonly ToldChange[]): ReadonlyMap<string, readonly ToldChange[]> {
  const grouped = new Map<string, ToldChange[]>()
  for (const change of changes) {
    const known = grouped.get(change.path)
    if (known) known.push(change)
    else grouped.set(change.path, [change])
  }
  return grouped
}

function isSame(one: FileState, other: FileState): boolean {
  return one?.sha256 === other?.sha256
}

/** A difference behind a command that the file tools of others explain from its beginning to its end. */
function isOnlyTheirs(change: ToldChange, elsewhere: readonly ToldChange[]): boolean {
  if (change.since === undefined) return false
  const during = elsewhere.filter((other) => other.since === undefined && overlaps(change, other))
  const last = during.reduce<FileState>(
    (state, other) => (isSame(state, other.before) ? other.after : state),
    change.before,
  )
  return during.length > 0 && isSame(last, change.after)
}

/** Both may have been there at once: a command runs for a while, a file tool tells of its change just before it. */
function overlaps(one: ToldChange, other: ToldChange): boolean {
  if (one.since === undefined && other.since === undefined) return false
  return (one.since ?? one.at) <= other.at && (other.since ?? other.at) <= one.at
}

function whoLeft(state: FileState, elsewhere: readonly ToldChange[]): string {
  return elsewhere.findLast(({ after }) => isSame(after, state))?.member ?? 'somebody who is no member of the run'
}
