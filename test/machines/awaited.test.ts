import { describe, expect, test } from 'vitest'
import { awaitedNames, awaitedPorts, awaitedStates } from '../../machines/awaited.ts'
import { readModules } from '../architecture/source-module.ts'
import { machinePage, statePaths } from '../tools/state-diagram.ts'
import { findMachines } from '../tools/write-diagrams.ts'

const root = process.cwd()
const found = await findMachines(root)
const modules = readModules(root).filter(({ file }) => file !== 'machines/awaited.ts')
const machines = new Map(found.map(({ machine }) => [machine.id, machine]))

describe('what is awaited stands in the code', () => {
  test.for(Object.entries(awaitedStates))('states of %s, each drawn dashed', ([id, states]) => {
    const machine = machines.get(id)
    expect(machine === undefined ? [] : statePaths(machine)).toEqual(expect.arrayContaining(Object.keys(states)))
    const page = machine === undefined ? '' : machinePage(machine, 'machines/a.ts', states)
    const dashed = Object.keys(states).map((state) => state.replaceAll('.', '_'))
    expect(page).toContain(`class ${dashed.join(', ')} awaited`)
    expect(page).toContain('classDef awaited stroke-dasharray: 5 5')
  })

  test.for(Object.entries(awaitedPorts))('ports of %s', ([id, ports]) => {
    const declared = Object.keys(machines.get(id)?.implementations.actors ?? {})
    expect(declared).toEqual(expect.arrayContaining(Object.keys(ports)))
  })

  test.for(Object.keys(awaitedNames))('the name %s', (name) => {
    const spoken = modules.filter(({ tree }) => new RegExp(`\\b${name}\\b`).test(tree.text))
    expect(spoken.map(({ file }) => file)).not.toEqual([])
  })
})
