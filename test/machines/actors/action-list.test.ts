import { expect, test } from 'vitest'
import { assign, emit, enqueueActions, initialTransition, setup, transition } from 'xstate'
import { actionList } from '../../../machines/actors/action-list.ts'

interface Sum {
  readonly sum: number
}
interface Add {
  readonly type: 'add'
  readonly by: number
}

interface Added {
  readonly type: 'added'
  readonly by: number
}
interface Twice {
  readonly twice: boolean
}

const listed = actionList<Sum, Add, Twice, Added>(({ context, event }, { twice }) => [
  assign({ sum: context.sum + event.by }),
  emit({ type: 'added', by: event.by }),
  ...(twice ? [emit({ type: 'added', by: event.by })] : []),
])

const enqueued = enqueueActions<Sum, Add, Twice, Add, never, never, never, never, Added>(
  ({ context, event, enqueue }, { twice }) => {
    enqueue.assign({ sum: context.sum + event.by })
    enqueue.emit({ type: 'added', by: event.by })
    if (twice) enqueue.emit({ type: 'added', by: event.by })
  },
)

/** What a machine whose one action is this one becomes, and what it asks for. */
function ledTo(add: typeof enqueued, twice: boolean) {
  const machine = setup({
    types: { context: {} as Sum, events: {} as Add, emitted: {} as Added },
    actions: { add },
  }).createMachine({ context: { sum: 1 }, on: { add: { actions: { type: 'add', params: { twice } } } } })
  const [first] = initialTransition(machine)
  const [{ context }, actions] = transition(machine, first, { type: 'add', by: 2 })
  return { sum: context.sum, actions: actions.map(({ type, params }) => ({ type, params: params as unknown })) }
}

test.each([true, false])('a list of actions is what enqueueActions makes of them (twice: %s)', (twice) => {
  expect(ledTo(listed, twice)).toEqual(ledTo(enqueued, twice))
  expect(ledTo(listed, twice)).toMatchObject({ sum: 3 })
})
