import { expect, test } from 'vitest'
import { emit, fromPromise, setup, toPromise } from 'xstate'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import { systemClock } from '../../../src/runtime/actors/clock.ts'
import { spawnRoot, tell, perSystem } from '../../../src/runtime/actors/spawn.ts'

const warned = (message: string) => ({ type: 'warning.raised' as const, code: 'heard', message })

const child = setup({}).createMachine({
  initial: 'over',
  entry: emit(warned('child')),
  states: { over: { type: 'final' } },
})

const machine = setup({ actors: { child } }).createMachine({
  initial: 'open',
  states: {
    open: { entry: emit(warned('root')), invoke: { src: 'child' }, on: { close: 'closed' } },
    closed: { type: 'final' },
  },
})

function birth(more: Partial<Parameters<typeof spawnRoot>[2]> = {}) {
  const facts: Fact[] = []
  const born = {
    id: 'it',
    clock: systemClock(),
    record: (news: readonly Fact[]) => void facts.push(...news),
    crashed(error: unknown) {
      throw error
    },
    ...more,
  }
  return { facts, born }
}

test('what a root and its children emit is recorded in order', () => {
  const { facts, born } = birth()
  spawnRoot(machine, undefined, born)
  expect(facts).toEqual([warned('root'), warned('child')])
})

test('what one step states is one batch, recorded before a port starts', () => {
  const seen: string[] = []
  const port = fromPromise(async () => void seen.push('port'))
  const asks = setup({ actors: { port } }).createMachine({
    initial: 'over',
    states: {
      over: { on: { ask: { target: 'asking', actions: [emit(warned('one')), emit(warned('two'))] } } },
      asking: { entry: emit(warned('three')), invoke: { src: 'port' } },
    },
  })
  const record = (news: readonly Fact[]) =>
    void seen.push(news.map((fact) => (fact.type === 'warning.raised' ? fact.message : fact.type)).join())
  const actor = spawnRoot(asks, undefined, { ...birth().born, record })
  tell(actor, { type: 'ask' })
  expect(seen).toEqual(['one,two,three', 'port'])
})

test('the last words are recorded before anybody hears of the end', () => {
  const seen: string[] = []
  const speaks = setup({}).createMachine({
    initial: 'open',
    states: { open: { on: { close: 'closed' } }, closed: { type: 'final', entry: emit(warned('farewell')) } },
  })
  const actor = spawnRoot(speaks, undefined, { ...birth().born, record: () => void seen.push('recorded') })
  actor.subscribe({ complete: () => void seen.push('over') })
  tell(actor, { type: 'close' })
  expect(seen).toEqual(['recorded', 'over'])
})

test('a journal that takes nothing is a fault the supervisor hears of, and the port does not start', () => {
  const seen: unknown[] = []
  const full = new Error('disk full')
  const record = () => {
    throw full
  }
  const port = fromPromise(async () => void seen.push('port'))
  const asks = setup({ actors: { port } }).createMachine({
    initial: 'open',
    states: {
      open: { on: { ask: 'asking', close: 'closed' } },
      asking: { entry: emit(warned('one')), invoke: { src: 'port' } },
      closed: { type: 'final', entry: emit(warned('farewell')) },
    },
  })
  const born = { ...birth().born, record, crashed: (error: unknown) => void seen.push(error) }
  tell(spawnRoot(asks, undefined, born), { type: 'ask' })
  tell(spawnRoot(asks, undefined, born), { type: 'close' })
  expect(seen).toEqual([full, full])
})

test('a journal that takes nothing at the end of a step is no fault of whoever told the actor something', () => {
  const seen: unknown[] = []
  const full = new Error('disk full')
  const record = () => {
    throw full
  }
  const moves = setup({}).createMachine({
    initial: 'open',
    states: { open: { on: { go: 'on' } }, on: { entry: emit(warned('on')) } },
  })
  const actor = spawnRoot(moves, undefined, { ...birth().born, record, crashed: (error) => void seen.push(error) })
  expect(() => tell(actor, { type: 'go' })).not.toThrow()
  expect(seen).toEqual([full])
})

test('a root that lost its world does nothing more', async () => {
  const names = perSystem<{ readonly name: string }>()
  const found: string[] = []
  const who = fromPromise(async ({ system }) => void found.push(names.of(system).name))
  const asks = setup({ actors: { who } }).createMachine({
    initial: 'open',
    states: { open: { on: { go: 'asking' } }, asking: { invoke: { src: 'who' } } },
  })
  const crash = Promise.withResolvers<unknown>()
  const { born } = birth({ bind: (actor) => names.bind(actor, { name: 'ana' }), crashed: crash.resolve })
  const actor = spawnRoot(asks, undefined, born)
  names.unbind(actor)
  tell(actor, { type: 'go' })
  expect(await crash.promise).toEqual(new Error('this root actor has no world'))
  expect(found).toEqual([])
})

test('an event that no state wants is a fact, not silence', () => {
  const { facts, born } = birth()
  const actor = spawnRoot(machine, undefined, born)
  facts.length = 0
  tell(actor, { type: 'open' })
  expect(facts).toEqual([{ type: 'event.dropped', actor: 'it', event: 'open', state: '"open"' }])
})

test('an actor that is over hears nothing any more', () => {
  const { facts, born } = birth()
  const actor = spawnRoot(machine, undefined, born)
  tell(actor, { type: 'close' })
  facts.length = 0
  tell(actor, { type: 'close' })
  expect(facts).toEqual([])
})

test('an uncaught error reaches whoever supervises', async () => {
  const broken = setup({ actors: { port: fromPromise(() => Promise.reject(new Error('broken'))) } }).createMachine({
    initial: 'asking',
    states: { asking: { invoke: { src: 'port' } } },
  })
  const { born } = birth()
  const error = await new Promise((resolve) => spawnRoot(broken, undefined, { ...born, crashed: resolve }))
  expect(error).toEqual(new Error('broken'))
})

test('ports find the world of the root that they run under, from their first step on', async () => {
  const names = perSystem<{ readonly name: string }>()
  const found: string[] = []
  const who = fromPromise(async ({ system }) => void found.push(names.of(system).name))
  const asks = setup({ actors: { who } }).createMachine({
    initial: 'asking',
    states: { asking: { invoke: { src: 'who', onDone: 'told' } }, told: { type: 'final' } },
  })
  for (const name of ['ana', 'bo']) {
    const { born } = birth({ bind: (actor) => names.bind(actor, { name }) })
    await toPromise(spawnRoot(asks, undefined, born))
  }
  expect(found).toEqual(['ana', 'bo'])
  const error = await new Promise((resolve) => spawnRoot(asks, undefined, { ...birth().born, crashed: resolve }))
  expect(error).toEqual(new Error('this root actor has no world'))
})
