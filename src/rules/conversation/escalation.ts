import type { CallDescription } from '../../protocol/tools/tool.ts'
import type { EscalationTrigger } from '../../protocol/work/work-fact.ts'
import type { EscalationPlan, EscalationWish } from '../../protocol/team/work-card.ts'

/** The first words of an agent that wants a stronger model to go on. */
export const strongerMark = 'STRONGER MODEL NEEDED:'

/** `escalationPlan('anthropic/…')`: what was not said of an escalation is filled in. */
export function escalationPlan(wish: EscalationWish): EscalationPlan {
  const said = typeof wish === 'string' ? { model: wish } : wish
  const { model, after_errors = 3, on_loop = true, on_hard = false } = said
  return { model, after_errors, on_loop, ...(on_hard ? { on_hard } : {}) }
}

/** The part of the system prompt for a member that has a stronger model to turn to. */
export const escalationText = `If the task is beyond you, begin your answer with "${strongerMark}" and the reason in one sentence, and call no tool. A
stronger model then goes on in your place, with this conversation. Do that once at most, and not for what you can do.`

/** Says whether a text asks for a stronger model, and why: `{ reason: 'It needs a proof.' }`, or null. */
export function strongerWanted(text: string): { readonly reason: string } | null {
  const start = text.trimStart()
  if (!start.startsWith(strongerMark)) return null
  return { reason: start.slice(strongerMark.length).trim().slice(0, longestReason) }
}

const longestReason = 500

/**
 * The last word as others get it: one that asks for a stronger model where none is left is explained, any other stays.
 *
 * @example lastWord('STRONGER MODEL NEEDED: A proof is missing.') // 'No stronger model was left to ask, … A proof is missing.'
 */
export function lastWord(text: string): string {
  if (strongerWanted(text) === null) return text
  const rest = text.trimStart().slice(strongerMark.length).trim()
  return `No stronger model was left to ask, and this one says that the task is beyond it${rest === '' ? '.' : `: ${rest}`}`
}

/** Calls that could not even be made: no such tool, no JSON, or not the shape of the tool. */
const clumsy: ReadonlySet<string> = new Set(['unknown', 'malformed', 'shape'])

/** Turns in a row in which a call could not be made, with this one. */
export function clumsyTurns(before: number, calls: readonly Pick<CallDescription, 'refusedFor'>[]): number {
  return calls.some(({ refusedFor = '' }) => clumsy.has(refusedFor)) ? before + 1 : 0
}

/** The text for the stronger model that takes over. */
export function takeoverText(trigger: Exclude<EscalationTrigger, 'task'>, reason: string): string {
  const quoted = reason === '' ? '' : ` Its words: "${reason.replaceAll('"', "'")}"`
  const why: Readonly<Record<typeof trigger, string>> = {
    marker: `it said that the task is beyond it.${quoted}`,
    errors: 'its last calls could not be made as they were written.',
    loop: 'it kept making the same calls with the same results.',
  }
  return `You take over here from another model: ${why[trigger]} Look at what was done so far with fresh eyes, and go on; nobody stronger comes after you.`
}
