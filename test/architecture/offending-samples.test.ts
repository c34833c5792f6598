import { describe, expect, test } from 'vitest'
import { scatteredCharts } from './chart-literals.ts'
import { barrels, defaultExports, overlongFiles, overlongMedian } from './file-shape.ts'
import { givenUpTypes, openEnds, strayActors } from './given-up.ts'
import { importCycles } from './import-cycles.ts'
import { wrongEdges } from './import-edges.ts'
import { outsideReads, staleExceptions } from './outside-reads.ts'
import { doubledExports, emptyNames, oddFileNames, unnamedMachines } from './plain-names.ts'
import { measuredComments, pointingComments, repeatingComments } from './prose.ts'
import { crowdedFolders, folderCircles, upwardImports } from './rooms.ts'
import { staleReaders, unreadMembers } from './unread-members.ts'
import { parseModule, type SourceModule } from './source-module.ts'

type Check = (modules: readonly SourceModule[]) => readonly string[]
type Sample = readonly [why: string, check: Check, file: string, text: string, complaint: RegExp]

const lines = (count: number): string => 'const a = 1\n'.repeat(count)

const offending: readonly Sample[] = [
  [
    'a rule asks a machine',
    wrongEdges,
    'src/rules/a.ts',
    `import { m } from '../../machines/m.ts'`,
    /may not import machines/,
  ],
  [
    'a rule asks a machine for a type',
    wrongEdges,
    'src/rules/a.ts',
    `import type { M } from '../../machines/m.ts'`,
    /may not/,
  ],
  ['a rule knows xstate', wrongEdges, 'src/rules/a.ts', `import { setup } from 'xstate'`, /package xstate/],
  [
    'a rule reads files',
    wrongEdges,
    'src/rules/a.ts',
    `import { readFileSync } from 'node:fs'`,
    /may not import node:fs/,
  ],
  ['an old spelling', wrongEdges, 'src/runtime/a.ts', `import { join } from 'path'`, /without node:/],
  [
    'a machine knows an adapter',
    wrongEdges,
    'machines/a.ts',
    `export * from '../src/adapters/fs/b.ts'`,
    /may not import src\/adapters/,
  ],
  [
    'an adapter knows another',
    wrongEdges,
    'src/adapters/tools/a.ts',
    `import { b } from '../mailbox/b.ts'`,
    /may not import/,
  ],
  [
    'an adapter knows a machine',
    wrongEdges,
    'src/adapters/tools/a.ts',
    `import { b } from '../../../machines/b.ts'`,
    /may not/,
  ],
  ['a stranger’s package', wrongEdges, 'src/adapters/tools/a.ts', `import { parse } from 'yaml/deep'`, /package yaml$/],
  [
    'a face knows an adapter',
    wrongEdges,
    'src/ui/cli/a.ts',
    `const b = await import('../../adapters/fs/b.ts')`,
    /may not import/,
  ],
  [
    'a type in an import call',
    wrongEdges,
    'src/protocol/a.ts',
    `export type B = import('../rules/b.ts').B`,
    /may not import/,
  ],
  ['a required module', wrongEdges, 'src/protocol/a.ts', `const b = require('../rules/b.ts')`, /may not import/],
  ['a computed import', wrongEdges, 'src/runtime/a.ts', `const b = await import(name)`, /computed/],
  ['the runtime knows a face', wrongEdges, 'src/runtime/a.ts', `import { b } from '../ui/cli/b.ts'`, /may not import/],
  ['an ending is missing', wrongEdges, 'src/rules/a.ts', `import { b } from './b'`, /without its ending/],
  ['a place that nobody drew', wrongEdges, 'src/extras/a.ts', '', /no place/],
  ['an adapter room that nobody drew', wrongEdges, 'src/adapters/fax/a.ts', '', /no place/],
  ['too long', overlongFiles, 'src/rules/a.ts', lines(301), /301 lines/],
  ['too long as a rule', overlongMedian, 'src/rules/a.ts', lines(101), /101 lines/],
  ['a barrel', barrels, 'src/rules/index.ts', `import './c.ts'\nexport { b } from './b.ts'`, /only re-exports/],
  ['export default', defaultExports, 'src/rules/a.ts', 'export default 1', /default export/],
  ['export default function', defaultExports, 'src/rules/a.ts', 'export default function a() {}', /default export/],
  ['export as default', defaultExports, 'src/rules/a.ts', 'const a = 1\nexport { a as default }', /default export/],
  [
    'the clock',
    outsideReads,
    'src/rules/a.ts',
    'export const at = () => Date.now()',
    /a.ts:1 reads the clock \(Date.now/,
  ],
  ['the clock by new', outsideReads, 'src/adapters/tools/a.ts', 'const at = new Date()', /reads the clock/],
  ['the clock by performance', outsideReads, 'src/runtime/a.ts', 'performance.now()', /reads the clock/],
  ['chance', outsideReads, 'src/adapters/models/a.ts', 'const a = Math.random()', /reads the random/],
  [
    'chance by name',
    outsideReads,
    'src/runtime/a.ts',
    `import { randomUUID as id } from 'node:crypto'`,
    /reads the random/,
  ],
  [
    'chance by member',
    outsideReads,
    'src/runtime/a.ts',
    `import c from 'node:crypto'\nc.randomBytes(4)`,
    /a.ts:2 reads the random/,
  ],
  ['the environment', outsideReads, 'src/adapters/models/a.ts', 'const key = process.env.KEY', /reads the environment/],
  [
    'the environment by name',
    outsideReads,
    'src/runtime/a.ts',
    `import { env } from 'node:process'`,
    /reads the environment/,
  ],
  [
    'the environment by import',
    outsideReads,
    'src/runtime/a.ts',
    `import p from 'node:process'\np.env`,
    /reads the environment/,
  ],
  ['the process', outsideReads, 'src/rules/a.ts', 'const pid = process.pid', /reads the process/],
  ['a timer', outsideReads, 'machines/a.ts', 'const wait = { wait: setTimeout }', /reads the timer/],
  ['a shorthand timer', outsideReads, 'machines/a.ts', 'const clock = { setInterval }', /reads the timer/],
  ['the network', outsideReads, 'src/protocol/a.ts', 'await fetch(url)', /reads the io/],
  ['its own place', outsideReads, 'src/projections/a.ts', 'const here = import.meta.url', /reads the place/],
  ['any', givenUpTypes, 'src/rules/a.ts', 'export const a: any = 1', /a.ts:1 uses any/],
  ['as any', givenUpTypes, 'src/rules/a.ts', 'const a = b as any', /uses any/],
  ['silence', givenUpTypes, 'src/rules/a.ts', 'const a = 1\n// @ts-ignore\nconst b = 2', /a.ts:2 silences/],
  ['silence for the linter', givenUpTypes, 'src/rules/a.ts', 'f(/* oxlint-disable-line */ a)', /silences/],
  [
    'an open end',
    openEnds,
    'src/rules/a.ts',
    '/** Does it. TODO: all of it. */\nexport const a = 1',
    /leaves work open/,
  ],
  ['an open end at the end', openEnds, 'src/rules/a.ts', 'const a = 1\n// FIXME', /a.ts:2 leaves work open/],
  [
    'an actor elsewhere',
    strayActors,
    'src/runtime/run/run-team.ts',
    `import { createActor } from 'xstate'`,
    /only src\/runtime\/actors\/spawn.ts/,
  ],
  ['an empty folder name', emptyNames, 'src/runtime/helpers/a.ts', '', /"helpers" does not say/],
  ['an empty file name', emptyNames, 'src/rules/path-utils.ts', '', /"path-utils.ts" does not say/],
  ['an empty class name', emptyNames, 'src/rules/a.ts', 'export class AgentManager {}', /"AgentManager" does not say/],
  [
    'an empty constant name',
    emptyNames,
    'src/rules/a.ts',
    'export const mailService = 1',
    /"mailService" does not say/,
  ],
  ['camel case', oddFileNames, 'src/rules/pathInside.ts', '', /kebab-case/],
  ['elements outside of the page', oddFileNames, 'src/ui/tui/a.tsx', '', /end in .ts/],
  ['another language', oddFileNames, 'src/rules/a.js', '', /end in .ts/],
  [
    'a machine by another name',
    unnamedMachines,
    'machines/a.ts',
    'export const agent = setup({}).createMachine({})',
    /"agent"/,
  ],
]

const innocent: readonly (readonly [why: string, check: Check, file: string, text: string])[] = [
  [
    'a rule reads the protocol',
    wrongEdges,
    'src/rules/a.ts',
    `import type { B } from '../protocol/b.ts'\nimport { c } from './c.ts'`,
  ],
  ['a tool runs a process', wrongEdges, 'src/adapters/tools/a.ts', `import { run } from '../process/run.ts'`],
  [
    'the runtime wires everything',
    wrongEdges,
    'src/runtime/a.ts',
    `import { b } from '../../machines/b.ts'\nimport 'node:fs'`,
  ],
  ['the entry re-exports', barrels, 'src/index.ts', `export { b } from './runtime/b.ts'`],
  ['300 lines', overlongFiles, 'src/rules/a.ts', lines(300)],
  ['a median of 100', overlongMedian, 'src/rules/a.ts', lines(100)],
  ['a given moment', outsideReads, 'src/rules/a.ts', 'export const year = (at: number) => new Date(at).getFullYear()'],
  [
    'a parameter called process',
    outsideReads,
    'src/rules/a.ts',
    'export const f = (process: { pid: number }) => process.pid',
  ],
  [
    'a member called now',
    outsideReads,
    'src/adapters/tools/a.ts',
    'export const f = (clock: { now(): number }) => clock.now()',
  ],
  ['a type that names a timer', outsideReads, 'src/rules/a.ts', 'export type Wait = typeof setTimeout'],
  ['a key that names a timer', outsideReads, 'src/rules/a.ts', 'export const a = { fetch: 1, performance: 2 }'],
  ['an adapter waits', outsideReads, 'src/adapters/process/a.ts', 'setTimeout(f, 5)\nprocess.kill(1, 0)'],
  ['a word in a string', openEnds, 'src/adapters/tools/a.ts', `export const pattern = 'TODO|FIXME'`],
  ['any in a comment and a name', givenUpTypes, 'src/rules/a.ts', '/** any of them */\nexport const any = 1'],
  ['the one place', strayActors, 'src/runtime/actors/spawn.ts', 'const actor = createActor(logic)'],
  ['a machine', unnamedMachines, 'machines/a.ts', 'export const agentMachine = setup({}).createMachine({})'],
  ['a word inside a word', emptyNames, 'src/rules/score.ts', 'export const commonFacts = 1'],
]

describe('every check can fail', () => {
  test.for(offending)('%s', ([, check, file, text, complaint]) => {
    expect(check([parseModule(file, text)])).toEqual([expect.stringMatching(complaint)])
  })

  test('a circle, type-only imports included, is told once', () => {
    const modules = [
      parseModule('src/rules/b.ts', `import { c } from './c.ts'`),
      parseModule('src/rules/a.ts', `import type { B } from './b.ts'`),
      parseModule('src/rules/c.ts', `export type A = import('./a.ts').A`),
    ]
    expect(importCycles(modules)).toEqual(['src/rules/a.ts → src/rules/b.ts → src/rules/c.ts → src/rules/a.ts'])
  })

  test('a circle of folders is told although no file is in a circle', () => {
    const modules = [
      parseModule('src/rules/a/one.ts', `import type { T } from '../b/two.ts'`),
      parseModule('src/rules/b/two.ts', 'export type T = 1'),
      parseModule('src/rules/b/three.ts', `import { four } from '../a/four.ts'`),
      parseModule('src/rules/a/four.ts', 'export const four = 4'),
    ]
    expect(importCycles(modules)).toEqual([])
    expect(folderCircles(modules)).toEqual(['src/rules/a → src/rules/b → src/rules/a'])
  })

  test('a folder and the folder in it are two', () => {
    const modules = [
      parseModule('src/rules/a.ts', `import { b } from './b/b.ts'`),
      parseModule('src/rules/b/b.ts', `import { c } from '../c.ts'`),
    ]
    expect(folderCircles(modules)).toEqual(['src/rules → src/rules/b → src/rules'])
  })

  test('a room of the runtime imports no room above it, none beside it, and stands on a floor', () => {
    const floors = [['team'], ['member', 'mail'], ['actors']]
    const module = (file: string, target: string) => parseModule(file, `import type { A } from '${target}'`)
    expect(upwardImports([module('src/runtime/team/a.ts', '../actors/b.ts')], floors)).toEqual([])
    expect(upwardImports([module('src/runtime/actors/a.ts', '../team/b.ts')], floors)).toHaveLength(1)
    expect(upwardImports([module('src/runtime/mail/a.ts', '../member/b.ts')], floors)).toHaveLength(1)
    expect(upwardImports([module('src/runtime/a.ts', './team/b.ts')], floors)).toHaveLength(1)
  })

  test('a crowded folder is told, an excused one is not', () => {
    const modules = Array.from({ length: 26 }, (_, at) => parseModule(`src/rules/a${at}.ts`, ''))
    expect(crowdedFolders(modules)).toEqual(['src/rules: 26 files, more than 25'])
    expect(crowdedFolders(modules, [{ folder: 'src/rules', most: 26, why: 'a sample' }])).toEqual([])
  })

  test('a name that two files export is told once', () => {
    const modules = [
      parseModule('src/rules/a.ts', 'export const twice = 1\nexport const once = 1'),
      parseModule('src/runtime/b.ts', 'export interface twice {}'),
    ]
    expect(doubledExports(modules)).toEqual(['twice is exported by src/rules/a.ts and src/runtime/b.ts'])
  })

  test('a member that nobody reads is told, and an excuse for one that is read is stale', () => {
    const modules = [
      parseModule(
        'src/rules/a.ts',
        'export interface Door { readonly open: boolean; lock(): void; readonly key: string }',
      ),
      parseModule(
        'src/rules/b.ts',
        'export const f = (door: Door) => door.open\nexport const g = ({ lock }: Door) => lock',
      ),
    ]
    expect(unreadMembers(modules)).toEqual([expect.stringMatching(/nobody reads Door.key$/)])
    const excuses = ['Door.key', 'Door.open'].map((member) => ({ member, why: 'a sample' }))
    expect(unreadMembers(modules, excuses)).toEqual([])
    expect(staleReaders(modules, excuses)).toEqual(['Door.open needs no excuse'])
  })

  test('a chart that takes a state, a spread or a guard from elsewhere is told part by part', () => {
    const chart = (body: string) =>
      parseModule('machines/a.ts', `export const aMachine = setup({}).createMachine(${body})`)
    expect(
      scatteredCharts([chart(`{ id: 'a', states: { on: { entry: 'ring', after: { 5: 'off' } }, off: {} } }`)]),
    ).toEqual([])
    for (const part of ['{ states: { on: onState } }', '{ states: { ...shared } }', '{ on: { go: [...always] } }'])
      expect(scatteredCharts([chart(part)])).toEqual([expect.stringMatching(/takes a part of a chart from elsewhere/)])
    const apart = parseModule('machines/b.ts', `export const on = setup({}).createStateConfig({})`)
    expect(scatteredCharts([apart])).toEqual([expect.stringMatching(/apart from its chart/)])
  })

  test('comments that point at nothing, give a figure or repeat a name are told, and others are not', () => {
    const module = (comment: string) => parseModule('src/rules/a.ts', `${comment}\nexport const openDoor = 1`)
    expect(pointingComments([module('/** What it is made of. */')])).toHaveLength(1)
    expect(pointingComments([module('// Nobody reads this.')])).toHaveLength(1)
    expect(pointingComments([module('/** The number of doors. */')])).toEqual([])
    expect(measuredComments([module('/** Doors open 25 % faster. */')])).toHaveLength(1)
    expect(repeatingComments([module('/** The open door. */')])).toHaveLength(1)
    expect(repeatingComments([module('/** The door of the kitchen. */')])).toEqual([])
  })

  test('an exception excuses its own reading only, and is stale when nothing reads it', () => {
    const module = parseModule('src/runtime/a.ts', 'Date.now()\nMath.random()')
    const excuse = [{ file: 'src/runtime/a.ts', reads: ['clock', 'environment'], why: 'a sample' }] as const
    expect(outsideReads([module], excuse)).toEqual([expect.stringMatching(/a.ts:2 reads the random/)])
    expect(staleExceptions([module], excuse)).toEqual(['src/runtime/a.ts: no longer reads the environment'])
  })
})

describe('no check complains without a reason', () => {
  test.for(innocent)('%s', ([, check, file, text]) => {
    expect(check([parseModule(file, text)])).toEqual([])
  })
})
