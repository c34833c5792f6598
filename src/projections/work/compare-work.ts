import type { Spending } from '../cost/cost.ts'
import type { PieceOfWork, WorkDone } from './pieces-of-work.ts'

/** One call in the aligned paths of two pieces of work: in both, or only in one. */
export interface PathStep {
  readonly in: 'both' | 'a' | 'b'
  readonly label: string
}

/** The same on both sides, or what each side has; null where a side has nothing. */
export interface Sides<Value> {
  readonly a: Value | null
  readonly b: Value | null
}

/** Two pieces of work for the same task of the same member; a side is null where a run had none. */
export interface ComparedWork {
  readonly member: string
  readonly task: Sides<string>
  readonly path: readonly PathStep[]
  /** Calls by tool, of tools that were not used equally often. */
  readonly tools: Readonly<Record<string, { readonly a: number; readonly b: number }>>
  readonly spending: Sides<Pick<Spending, 'answers' | 'cost_usd' | 'usage'>>
  readonly answer: Sides<string>
  /** Path, task and answer are the same. */
  readonly same: boolean
}

/**
 * Compares what two runs did, task by task: pieces of work of the same member with the same task belong together, and what is left
 * over in the order in which it came.
 */
export function compareWork(a: WorkDone, b: WorkDone): readonly ComparedWork[] {
  return aligned(a.pieces, b.pieces).map(([one, other]) => comparedWork(one, other))
}

type Pair = readonly [PieceOfWork | null, PieceOfWork | null]

function aligned(a: readonly PieceOfWork[], b: readonly PieceOfWork[]): readonly Pair[] {
  const left = new Set(b)
  const take = (fits: (piece: PieceOfWork) => boolean): PieceOfWork | null => {
    const found = [...left].find(fits) ?? null
    if (found !== null) left.delete(found)
    return found
  }
  const exact = new Map(a.map((piece) => [piece, take((other) => isSameTask(piece, other))]))
  const pairs = a.map((piece): Pair => [piece, exact.get(piece) ?? take(({ member }) => member === piece.member)])
  return [...pairs, ...[...left].map((piece): Pair => [null, piece])]
}

function isSameTask(one: PieceOfWork, other: PieceOfWork): boolean {
  return one.member === other.member && one.task === other.task
}

function comparedWork(a: PieceOfWork | null, b: PieceOfWork | null): ComparedWork {
  const path = alignedPath(labelsOf(a), labelsOf(b))
  const sides = <Value>(of: (piece: PieceOfWork) => Value): Sides<Value> => ({ a: a && of(a), b: b && of(b) })
  const [task, answer] = [sides((piece) => piece.task), sides((piece) => piece.answer)]
  return {
    member: (a ?? b)?.member ?? '',
    task,
    path,
    tools: toolCounts(a, b),
    spending: sides(({ cost }) => cost.total),
    answer,
    same: task.a === task.b && answer.a === answer.b && path.every((step) => step.in === 'both'),
  }
}

/** A call that did not do what it was asked is another step than one that did. */
function labelsOf(piece: PieceOfWork | null): readonly string[] {
  return (piece?.steps ?? []).map(({ label, ending }) => (ending === 'done' ? label : `${label} (${ending})`))
}

/** The longest common path, with the steps of each side where they leave it. */
function alignedPath(a: readonly string[], b: readonly string[]): readonly PathStep[] {
  const common = commonLengths(a, b)
  const path: PathStep[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const [one, other] = [a[i], b[j]]
    if (one !== undefined && one === other) {
      path.push({ in: 'both', label: one })
      i += 1
      j += 1
    } else if (one !== undefined && (other === undefined || (common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0))) {
      path.push({ in: 'a', label: one })
      i += 1
    } else if (other !== undefined) {
      path.push({ in: 'b', label: other })
      j += 1
    }
  }
  return path
}

/** Cells of the table below: longer paths are only followed as far as they are the same. */
const mostCells = 4_000_000

/** At `[i][j]`: how many steps the rests of both paths from there have in common, in order. */
function commonLengths(a: readonly string[], b: readonly string[]): readonly (readonly number[])[] {
  if (a.length * b.length > mostCells) return []
  const lengths = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0))
  for (let i = a.length - 1; i >= 0; i -= 1) {
    const [row, below] = [lengths[i] ?? [], lengths[i + 1] ?? []]
    for (let j = b.length - 1; j >= 0; j -= 1) {
      row[j] = a[i] === b[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0)
    }
  }
  return lengths
}

function toolCounts(a: PieceOfWork | null, b: PieceOfWork | null): ComparedWork['tools'] {
  const count = (piece: PieceOfWork | null, name: string): number =>
    (piece?.steps ?? []).filter(({ tool }) => tool === name).length
  const names = new Set([...(a?.steps ?? []), ...(b?.steps ?? [])].map(({ tool }) => tool))
  const counts = [...names].toSorted().map((name) => [name, { a: count(a, name), b: count(b, name) }] as const)
  return Object.fromEntries(counts.filter(([, { a: one, b: other }]) => one !== other))
}
