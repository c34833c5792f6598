import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createMachine, fromPromise, setup } from 'xstate'
import { machinePage, statePaths, undescribedStates } from './state-diagram.ts'
import { readModules } from '../architecture/source-module.ts'
import { diagramsPage, definitionOf, findMachines, refresh, refreshAll } from './write-diagrams.ts'

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
  state "on" as on {
    state "warming" as on_warming
    state "bright" as on_bright
    [*] --> on_warming
  }
  state "broken" as broken
  [*] --> off
  off --> broken: press [isBroken]
  off --> on_warming: press
  on_warming --> on_bright: heat answers, after 500
  on_warming --> broken: heat fails
  on_bright --> broken: [isBroken]
  broken --> [*]
  classDef awaited stroke-dasharray: 5 5
  class on_bright awaited
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
| on.bright | *Not reached yet*: a stronger bulb. |  |
| broken |  |  |
`

describe('a page', () => {
  test('draws a machine, names what its groups answer, and says what each state is', () => {
    expect(machinePage(lampMachine, 'machines/lamp.ts', { 'on.bright': 'a stronger bulb' })).toBe(lampPage)
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

  test('stands beside a definition of each machine, of which the same machine is made', async () => {
    for (const { machine } of await findMachines(repository)) {
      const again = createMachine(JSON.parse(definitionOf(machine)) as object)
      expect(statePaths(again)).toEqual(statePaths(machine))
      expect(new Set(again.events)).toEqual(new Set(machine.events))
    }
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

  test('and every definition are written together, each named while it is stale', () => {
    const machines = [{ file: 'machines/lamp.ts', machine: lampMachine }]
    const both = [join('docs', 'machines.md'), join('docs', 'machines', 'lamp.json')]
    expect(refreshAll(folder, machines, true)).toEqual(both)
    expect(refreshAll(folder, machines, false)).toEqual(both)
    expect(refreshAll(folder, machines, true)).toEqual([])
  })
})
