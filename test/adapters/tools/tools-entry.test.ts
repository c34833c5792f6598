import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { builtinTools } from '../../../src/adapters/tools/registry.ts'
import { createAgent } from '../../../src/index.ts'
import * as entry from '../../../src/tools.ts'
import { tempDir } from '../../runtime/support/stage.ts'

test('every built-in tool that needs no team is handed out under its own name', () => {
  const { defineTool, z, ...tools } = entry
  expect([typeof defineTool, typeof z.strictObject]).toEqual(['function', 'function'])
  expect(Object.entries(tools).map(([name, tool]) => [name, tool.name])).toEqual(
    Object.keys(tools).map((name) => [name, name]),
  )
  const left = builtinTools.filter((tool) => !Object.values<unknown>(tools).includes(tool)).map(({ name }) => name)
  const coordination = ['SendMessage', 'StopWorker', 'Wait', 'Report', 'Answer']
  const board = ['TaskCreate', 'TaskClaim', 'TaskDone', 'TaskList']
  const memory = ['Remember', 'Recall', 'Forget']
  // An agent with an advisor, or a memory, is given the tools for it.
  expect(left).toEqual(['Advisor', ...coordination, ...board, ...memory])
})

test('an agent uses the built-in tools that it was given, and no others', async () => {
  const dir = tempDir()
  const steps = [
    {
      calls: [
        { tool: 'Read', input: { file_path: 'a.txt' }, as: 'r' },
        { tool: 'LS', input: { path: '.' }, as: 'l' },
      ],
    },
    { say: '{{r.text}} {{l.text}}' },
  ]
  writeFileSync(join(dir, 'a.txt'), 'hello\n')
  writeFileSync(join(dir, 'answers.yaml'), stringify({ agents: { agent: { steps } } }))
  const options = { model: 'scripted/answers.yaml', cwd: dir, home: dir, env: {} }
  const { text } = await createAgent({ ...options, tools: [entry.Read] }).run('Read it.').result
  expect(text).toContain('hello')
  expect(text).toContain('No such tool: LS')
})
