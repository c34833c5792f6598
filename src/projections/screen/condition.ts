import { currentCall, doing, partOf, partText, waitText, type MemberView } from './roster.ts'
import { untilText } from './recovery-text.ts'

/** The state of a member as a person wants to see it at a glance. */
export type Condition = 'asks' | 'failed' | 'interrupted' | 'tool' | 'thinking' | 'waiting' | 'idle' | 'gone'

/** The smaller the number, the more the member needs a person. Whoever works stays in place between its calls. */
const needs: Readonly<Record<Condition, number>> = {
  asks: 0,
  failed: 1,
  interrupted: 2,
  tool: 3,
  thinking: 3,
  waiting: 4,
  idle: 5,
  gone: 6,
}

const phases = { thinking: 'thinking', acting: 'tool', parked: 'waiting', paused: 'waiting' } as const

/** The condition of a member: a question to a person goes before everything else. */
export function conditionOf(view: MemberView): Condition {
  const { state, phase, waiting, trouble, interrupted } = view
  if (waiting.size > 0) return 'asks'
  if (state === 'crashed') return 'failed'
  if (interrupted) return 'interrupted'
  if (state === 'gone') return trouble === null ? 'gone' : 'failed'
  if (state === 'idle' && trouble !== null) return 'failed'
  if (state === 'busy') return phase === null ? 'thinking' : phases[phase]
  return doing(view) === 'waiting' ? 'waiting' : 'idle'
}

/** The present activity of a member with its object: the call, the question, the members it waits for, and for whom. */
export function activityText(view: MemberView): string {
  const part = partOf(view)
  return part === null ? ownActivity(view) : `${ownActivity(view)} · ${partText(part)}`
}

function ownActivity(view: MemberView): string {
  const { state, phase, until, waiting, trouble, interrupted } = view
  if (state === 'not_started') return 'not started'
  const [question] = waiting.values()
  if (question !== undefined) return `asks you: ${question}${othersText(waiting.size - 1)}`
  if (trouble !== null) return `${doing(view)}: ${trouble}`
  if (interrupted) return doing(view)
  if (phase === 'paused' && until !== null) return `paused ${untilText(until)}`
  const call = phase === 'acting' ? currentCall(view) : null
  if (call) return `${call.label}${othersText(call.others)}`
  return waitText(view) ?? doing(view)
}

function othersText(count: number): string {
  return count > 0 ? ` (+${count})` : ''
}

/** The members in the order of how much they need a person; those that need one alike keep their order. */
export function byNeed(views: readonly MemberView[]): readonly MemberView[] {
  return views
    .map((view) => ({ view, need: needs[conditionOf(view)] }))
    .toSorted((a, b) => a.need - b.need)
    .map(({ view }) => view)
}
