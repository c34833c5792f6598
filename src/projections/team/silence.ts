import type { Entry, Recorded } from '../../protocol/facts/entry.ts'

/** A busy member, and when it was last heard. */
export interface Watched {
  at: number
  /** The kind of the member's latest fact. */
  last: Entry['type']
  /** Calls that wait for somebody's approval: as long as there are any, silence is nobody's fault. */
  readonly asked: Set<string>
  /** True once the member was reported as hanging; its next fact takes that back. */
  told: boolean
}

/** Busy members by name. */
export type Silence = Map<string, Watched>

/** Facts that end being busy. */
const endings = new Set<Entry['type']>(['member.idled', 'member.drained', 'member.gone'])
/** Facts of a member that waits for others, or until a time that it has named. */
const waits = new Set<Entry['type']>(['agent.parked', 'model.paused', 'model.waiting'])

/** Takes one recorded fact into who is busy and since when nothing was heard of them. */
export function applySilence(silence: Silence, { owner, entry }: Recorded): void {
  const { type, at } = entry
  if (type === 'member.crashed' || type === 'member.lost' || type === 'member.spawned') silence.delete(entry.member)
  else if (endings.has(type)) silence.delete(owner)
  else if (type === 'member.woke') silence.set(owner, { at, last: type, asked: new Set(), told: false })
  const watched = silence.get(owner)
  if (!watched) return
  if (type === 'permission.requested') watched.asked.add(entry.call_id)
  else if (type === 'permission.decided' || type === 'call.finished') watched.asked.delete(entry.call_id)
  watched.at = at
  watched.last = type
  watched.told = false
}

/** When the silence of a member becomes too long; null while it waits with good reason, or when it has been said. */
export function tooLongAt({ at, last, asked, told }: Watched, silenceMs: number): number | null {
  return told || asked.size > 0 || waits.has(last) ? null : at + silenceMs
}
