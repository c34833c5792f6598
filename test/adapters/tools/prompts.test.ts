import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { builtinTools } from '../../../src/adapters/tools/registry.ts'
import { systemClock } from '../../../src/runtime/actors/clock.ts'
import { delegateAlone } from '../../../src/runtime/reach/delegate-alone.ts'
import { toolSearchOver } from '../../../src/adapters/tools/tool-search.ts'

const folder = 'src/adapters/tools'
const never = () => Promise.reject(new Error('nothing is delegated here'))
const loneDelegate = delegateAlone({
  name: 'agent',
  workers: {},
  refusal: null,
  length: () => 0,
  run: never,
  clock: systemClock(),
})
const tools = [...builtinTools, loneDelegate, toolSearchOver([])]

describe('what a model reads of the built-in tools', () => {
  test('stands in a file beside each, and no file is left over', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
    const beginnings = files.map((name) => readFileSync(join(folder, name), 'utf8').split(/[\n{]/, 1)[0] ?? '')
    const used = tools.map((tool) => beginnings.findIndex((text) => text !== '' && tool.description.startsWith(text)))
    expect(tools.filter((_, at) => used[at] === -1).map(({ name }) => name)).toEqual([])
    expect(files.filter((_, at) => !used.includes(at))).toEqual([])
  })

  test.for(tools.map((tool) => [tool.name, tool.description] as const))(
    '%s says when it is used and when it is not, without scars of the formatter',
    ([, text]) => {
      expect(text).toMatch(/\b(use|before|after|when)\b/i)
      expect(text).toMatch(/\b(not|no|never|instead|prefer)\b/i)
      expect(text.replaceAll(/`[^`]*`/g, '')).not.toMatch(/\\[*_~]|"_\.|\{\{|\*/)
    },
  )

  test('Glob and Grep show patterns as they are to be written', () => {
    const said = (name: string): string => tools.find((tool) => tool.name === name)?.description ?? ''
    for (const pattern of ['`*.ts`', '`src/**/*.test.ts`', '`*.{js,ts}`']) expect(said('Glob')).toContain(pattern)
    expect(said('Grep')).toContain('`foo\\(`')
  })
})
