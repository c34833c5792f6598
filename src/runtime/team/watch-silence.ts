import type { Fact } from '../../protocol/facts/fact.ts'
import type { RunContext } from '../context/run-context.ts'
import type { Entry, Recorded } from '../../protocol/facts/entry.ts'

/**
 * Says of busy members that they hang when nothing of them was journaled for `silenceMs`. A fact costs a look into a map;
 * there is one timer while anybody is busy, and none else. A member whose text or output still comes stalls; one of which
 * nothing comes is silent.
 * @returns the end of the watch
 */
export function watchSilence(
  { clock, facts, deltas, earlier }: Pick<RunContext, 'clock' | 'facts' | 'deltas' | 'earlier'>,
  { silenceMs, record }: { readonly silenceMs: number; record(facts: readonly Fact[]): void },
): () => void {
  const silence: Silence = new Map()
  for (const recorded of earlier.recorded) applySilence(silence, recorded)
  let timer: unknown = null
  const arm = (): void => {
    const dues = [...silence.values()].flatMap((watched) => tooLongAt(watched, silenceMs) ?? [])
    timer = dues.length === 0 ? null : clock.setTimeout(look, Math.max(Math.min(...dues) - clock.now(), 0))
  }
  const look = (): void => {
    const now = clock.now()
    for (const [member, watched] of silence) {
      const due = tooLongAt(watched, silenceMs)
      if (due === null || due > now) continue
      watched.told = true
      const { at, last, stirred } = watched
      const stirs = stirred === null ? {} : { stirred_ms: now - stirred }
      record([{ type: 'member.hung', member, last, silent_ms: now - at, ...stirs }])
    }
    arm()
  }
  const deafen = facts.subscribe((recorded) => {
    applySilence(silence, recorded)
    if (timer === null && silence.size > 0) arm()
  })
  const unhear = deltas.subscribe(({ member }) => {
    const watched = silence.get(member)
    if (watched) watched.stirred = clock.now()
  })
  arm()
  return () => {
    deafen()
    unhear()
    if (timer !== null) clock.clearTimeout(timer)
  }
}

/** A busy member, and when it was last heard. */
export interface Watched {
  at: number
  /** The kind of the member's latest fact. */
  last: Entry['type']
  /** Calls that wait for somebody's approval: as long as there are any, silence is nobody's fault. */
  readonly asked: Set<string>
  /** When text or output of it last came since then; null while nothing did. */
  stirred: number | null
  /** True once the member was reported as hanging; its next fact takes that back. */
  told: boolean
}

/** Busy members by name. */
type Silence = Map<string, Watched>

/** Facts that end being busy. */
const endings = new Set<Entry['type']>(['member.idled', 'member.drained', 'member.gone'])
/** Facts of a member that waits for others, or until a time that it has named. */
const waits = new Set<Entry['type']>(['agent.parked', 'model.paused', 'model.waiting'])

/** Takes one recorded fact into who is busy and since when nothing was heard of them. */
function applySilence(silence: Silence, { owner, entry }: Recorded): void {
  const { type, at } = entry
  if (type === 'member.crashed' || type === 'member.lost' || type === 'member.spawned') silence.delete(entry.member)
  else if (endings.has(type)) silence.delete(owner)
  else if (type === 'member.woke') silence.set(owner, { at, last: type, asked: new Set(), stirred: null, told: false })
  const watched = silence.get(owner)
  if (!watched) return
  if (type === 'permission.requested') watched.asked.add(entry.call_id)
  else if (type === 'permission.decided' || type === 'call.finished') watched.asked.delete(entry.call_id)
  watched.at = at
  watched.stirred = null
  watched.last = type
  watched.told = false
}

/** When the silence of a member becomes too long; null while it waits with good reason, or when it has been said. */
function tooLongAt({ at, last, asked, told }: Watched, silenceMs: number): number | null {
  return told || asked.size > 0 || waits.has(last) ? null : at + silenceMs
}
