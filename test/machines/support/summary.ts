import type { AnyStateMachine } from 'xstate'
import { added, stateName, type Effect, type Walk } from './walk.ts'

/**
 * One step as one line, so that a table of state × event can be read: where it led, then what was asked for in order.
 * `gathering | request.settled r1 done | stop hand_out:r1:2`; a step that changed nothing is just the state.
 */
export function summary<M extends AnyStateMachine>(before: Walk<M>, after: Walk<M>): string {
  return [stateName(after.snapshot), ...added(before, after).map(effectLine)].join(' | ')
}

function effectLine(effect: Effect): string {
  switch (effect.kind) {
    case 'fact': {
      const { type, ...rest } = effect.fact
      return [type, ...Object.values(rest).map(valueText)].join(' ')
    }
    case 'start':
      return `start ${effect.id} ${valueText(effect.input ?? {})}`
    case 'stop':
      return `stop ${effect.id}`
    case 'send': {
      const { type, ...rest } = effect.event
      return `tell ${effect.to} ${type} ${valueText(rest)}`
    }
    case 'alarm':
      return `alarm ${effect.event.type} in ${effect.delay}`
    default:
      return effect satisfies never
  }
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
