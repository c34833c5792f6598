import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { findCodeTools } from '../../../../src/adapters/teams/code-tools.ts'
import { CodeToolError, loadCodeTool } from '../../../../src/adapters/tools/own/load-code-tool.ts'
import { workshop } from '../workshop.ts'

const shop = workshop()
const greeting = `export const tool = ({ defineTool, z }) => defineTool({
  name: 'Greet',
  description: 'Greets somebody.',
  input: z.strictObject({ name: z.string() }),
  run: async ({ name }) => ({ content: [{ type: 'text', text: 'Hello ' + name }] }),
})
`
const card = (name: string, text: string, file = `${name}.ts`) => ({
  card: { name, file: `tools/${file}`, sha256: createHash('sha256').update(text).digest('hex') },
  path: shop.write(`tools/${file}`, text),
})
const load = (name: string, text: string) => {
  const made = card(name, text)
  return loadCodeTool(made.card, made.path)
}

test('files that a member is given are found by name, and not run', async () => {
  shop.write('tools/Greet.ts', 'throw new Error("run")')
  shop.write('tools/Other.ts', '')
  shop.write('tools/notes.md', '')
  const found = await findCodeTools(shop.path('team.yaml'), ['Greet', 'notes', 'Read'])
  expect(found.map(({ name, file }) => [name, file])).toEqual([['Greet', 'tools/Greet.ts']])
  expect(await findCodeTools('/nowhere/team.yaml', ['Greet'])).toEqual([])
})

test('a loaded tool runs, and what it does not declare is restrictive', async () => {
  const tool = await load('Greet', greeting)
  expect(await shop.call(tool, { name: 'Ann' })).toEqual({ text: 'Hello Ann', isError: false })
  expect([tool.effect, tool.isReadOnly({}), tool.isConcurrencySafe({}), tool.isDestructive({})]).toEqual([
    'execute',
    false,
    false,
    true,
  ])
})

test('a file that was changed after it was trusted is not loaded', async () => {
  const made = card('Greet', greeting)
  shop.write('tools/Greet.ts', `${greeting}// more`)
  await expect(loadCodeTool(made.card, made.path)).rejects.toThrow(/changed since the team was loaded/)
})

test('what is no tool is refused with its file and why', async () => {
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['export const other = 1', /must export `tool`/],
    ['export const tool = { name: "A", description: "x", input: {}, run() {} }', /no zod schema/],
    ['export const tool = () => { throw new Error("broken inside") }', /broken inside/],
    ['const = 1', /tools\/A\.ts: /],
    [greeting, /file and tool must have one name/],
  ]
  for (const [text, why] of wrong) {
    await expect(load('A', text)).rejects.toThrow(why)
    await expect(load('A', text)).rejects.toBeInstanceOf(CodeToolError)
  }
})
