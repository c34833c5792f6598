import type { FileDifference } from '../../protocol/facts/change-fact.ts'
import type { Entry } from '../../protocol/facts/entry.ts'

/** A turn of a member that changed files, or may have: it can go back to the state before it. */
export interface TurnPoint {
  /** The entry of the answer that began the turn. */
  readonly from: string
  readonly at: number
  name: string | null
  readonly changes: TurnChange[]
  /** Why the turn cannot be taken back. */
  readonly untaken: string[]
}

interface TurnChange extends FileDifference {
  readonly at: number
  readonly since?: number | undefined
}

/** Tools that change nothing on the disk, so that a call of theirs which was cut off leaves nothing behind. */
const harmless = new Set([
  'Read',
  'Grep',
  'Glob',
  'LS',
  'WebFetch',
  'TodoWrite',
  'Wait',
  'Delegate',
  'SendMessage',
  'Report',
])
/** These tell of a change before they make it. */
const telling = new Set(['Write', 'Edit', 'MultiEdit'])

/**
 * The checkpoints of a member, the oldest first. Turns that were taken back are gone.
 * @param entries the journal of the member
 * @example checkpointsOf(readJournal(run.journalFile('lead')).entries).at(-1)?.from // 'lead-17'
 */
export function checkpointsOf(entries: readonly Entry[]): readonly TurnPoint[] {
  let points: TurnPoint[] = []
  let turn: TurnPoint = { from: '', at: 0, name: null, changes: [], untaken: [] }
  const open = new Map<string, { readonly tool: string; readonly turn: TurnPoint }>()
  const places = new Map(entries.map(({ id, seq }) => [id, seq]))
  const keep = (): void => void (points.includes(turn) || points.push(turn))
  for (const entry of entries) {
    if (entry.type === 'message.appended' && entry.message.role === 'assistant') {
      turn = { from: entry.id, at: entry.at, name: null, changes: [], untaken: [] }
    } else if (entry.type === 'files.changed') {
      const { at, since, files, untaken, call_id } = entry
      open.delete(call_id)
      turn.changes.push(...files.map((file) => ({ ...file, at, since })))
      if (untaken !== undefined) turn.untaken.push(untaken)
      keep()
    } else if (entry.type === 'call.started') open.set(entry.call_id, { tool: entry.tool, turn })
    else if (entry.type === 'call.finished') open.delete(entry.call_id)
    else if (entry.type === 'member.started') {
      for (const { tool, turn: cut } of open.values()) noteCutOff(cut, tool, points)
      open.clear()
    } else if (entry.type === 'checkpoint.named') {
      const named = points.find(({ from }) => from === entry.from)
      if (named) named.name = entry.name
    } else if (entry.type === 'turns.undone') {
      const place = places.get(entry.from) ?? 0
      points = points.filter(({ from }) => (places.get(from) ?? 0) < place)
    }
  }
  for (const { tool, turn: cut } of open.values()) noteCutOff(cut, tool, points)
  return points
}

function noteCutOff(turn: TurnPoint, tool: string, points: TurnPoint[]): void {
  if (harmless.has(tool) || telling.has(tool)) return
  turn.untaken.push(`${tool} was cut off, and what it had changed by then is unknown`)
  if (!points.includes(turn)) points.push(turn)
}
