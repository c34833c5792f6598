import type { MemberView } from '../screen/roster.ts'

/** The present activity of a member, in a word. */
export function doing(view: MemberView): string {
  if (view.waiting.size > 0) return 'asks you'
  if (view.state === 'idle' && view.rests !== null && view.rests !== 'nothing_to_do') return 'waiting'
  if (view.state !== 'busy') return view.state === 'not_started' ? '-' : view.state
  const words = { thinking: 'thinking', acting: 'acting', parked: 'waiting', paused: 'paused' } as const
  return view.phase === null ? 'busy' : words[view.phase]
}
