import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fromPromise, setup } from 'xstate'
import { machinePage, undescribedStates } from './state-diagram.ts'
import { readModules } from '../architecture/source-module.ts'
import { diagramsPage, definitionOf, findMachines, refresh } from './write-diagrams.ts'

const repository = join(import.meta.dirname, '..', '..')

const lampMachine = setup({
  types: { events: {} as { type: 'press' } | { type: 'dim' } | { type: 'break' } },
  actors: { heat: fromPromise(() => Promise.resolve()) },
  guards: { isBroken: () => false },
}).createMachine({
  id: 'lamp',
  initial: 'off',
  on: { break: '.broken', press: {} },
  states: {
    off: { description: 'It is dark.', on: { press: [{ guard: 'isBroken', target: 'broken' }, { target: 'on' }] } },
    on: {
      initial: 'warming',
      on: { press: 'off', dim: {} },
      states: {
        warming: {
          description: 'It gets brighter.',
          invoke: { src: 'heat', onDone: 'bright', onError: '#lamp.broken' },
          after: { 500: 'bright' },
        },
        bright: { always: { guard: 'isBroken', target: '#lamp.broken' } },
      },
    },
    broken: { type: 'final' },
  },
})

const lampPage = `## lamp

\`machines/lamp.ts\`

\`\`\`mermaid
stateDiagram-v2
  state "off" as off
  state "on.warming" as on_warming
  state "on.bright" as on_bright
  state "broken" as broken
  [*] --> off
  off --> broken: press [isBroken]
  off --> on_warming: press
  on_warming --> on_bright: heat answers, after 500
  on_warming --> broken: heat fails
  on_bright --> broken: [isBroken]
  broken --> [*]
\`\`\`

In every state that says nothing else:

- break → broken
- without leaving the state: press

In \`on\`, whichever state it is in:

- press → off
- without leaving the state: dim

| state | what it is | answered without leaving it |
| --- | --- | --- |
| off | It is dark. |  |
| on |  | dim |
| on.warming | It gets brighter. |  |
| on.bright |  |  |
| broken |  |  |
`

describe('a page', () => {
  test('draws a machine, names what its groups answer, and says what each state is', () => {
    expect(machinePage(lampMachine, 'machines/lamp.ts')).toBe(lampPage)
  })

  test('knows the states that nobody has described', () => {
    expect(undescribedStates(lampMachine)).toEqual(['on', 'on.bright', 'broken'])
  })

  test('holds every machine once, by file name', async () => {
    const machines = await findMachines(repository)
    const written = readModules(repository).filter(({ tree }) => tree.text.includes('.createMachine('))
    expect(machines.map(({ file }) => file)).toEqual(written.map(({ file }) => file))
    expect(machines.length).toBeGreaterThan(8)
    const headings = diagramsPage(machines).match(/^## .*$/gm)
    expect(headings).toEqual(machines.map(({ machine }) => `## ${machine.id}`))
    expect(new Set(headings).size).toBe(machines.length)
  })

  test('tells a machine as JSON without its code', () => {
    const definition = JSON.parse(definitionOf(lampMachine)) as { id: string; states: object }
    expect(definition.id).toBe(lampMachine.id)
    expect(Object.keys(definition.states)).toEqual(Object.keys(lampMachine.config.states ?? {}))
  })

  test('finds every state of every machine described', async () => {
    const machines = await findMachines(repository)
    expect(machines.flatMap(({ file, machine }) => undescribedStates(machine).map((state) => [file, state]))).toEqual(
      [],
    )
  })
})

describe('the file', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'diagrams-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  test('is written when it is stale, and only looked at by a check', () => {
    const file = join(folder, 'machines.md')
    expect(refresh(file, 'new', true)).toBe(false)
    expect(existsSync(file)).toBe(false)
    expect(refresh(file, 'new', false)).toBe(false)
    expect(readFileSync(file, 'utf8')).toBe('new')
    expect(refresh(file, 'new', true)).toBe(true)
    expect(refresh(file, 'newer', true)).toBe(false)
    expect(readFileSync(file, 'utf8')).toBe('new')
  })
})
