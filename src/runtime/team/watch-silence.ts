import { applySilence, tooLongAt, type Silence } from '../../projections/team/silence.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { RunContext } from '../context/run-context.ts'

/**
 * Says of busy members that they hang when nothing of them was journaled for `silenceMs`. A fact costs a look into a map;
 * there is one timer while anybody is busy, and none else.
 * @returns the end of the watch
 */
export function watchSilence(
  { clock, facts, earlier }: Pick<RunContext, 'clock' | 'facts' | 'earlier'>,
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
      record([{ type: 'member.hung', member, last: watched.last, silent_ms: now - watched.at }])
    }
    arm()
  }
  const deafen = facts.subscribe((recorded) => {
    applySilence(silence, recorded)
    if (timer === null && silence.size > 0) arm()
  })
  arm()
  return () => {
    deafen()
    if (timer !== null) clock.clearTimeout(timer)
  }
}
