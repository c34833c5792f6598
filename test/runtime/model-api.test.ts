import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import { loadTeam } from '../../src/runtime/team-files/load-team.ts'
import { runTeam } from '../../src/runtime/run/run-team.ts'
import { environmentFor, faultyServer } from '../support/faulty-server.ts'
import { tempDir } from './support/stage.ts'

test.for([
  ['openai/m', 'responses', undefined],
  ['openai/m', 'chat', 'chat'],
  ['openai-compatible/m', 'chat', undefined],
  ['openai-compatible/m', 'responses', 'responses'],
] as const)('%s is spoken to in the %s API when the team says api: %s', async ([model, spoken, api]) => {
  const server = await faultyServer({ api: spoken, speak: () => ({ text: 'It is done.' }) })
  onTestFinished(() => server.close())
  const cwd = tempDir()
  const workers = { hand: { description: 'Helps.', prompt: 'You help.' } }
  const team = { name: 'polite', model, coordinator: { prompt: 'You lead.' }, workers }
  writeFileSync(join(cwd, 'polite.yaml'), stringify(api === undefined ? team : { ...team, api }))
  const env = { PATH: process.env['PATH'] ?? '', ...environmentFor(server.root) }
  const run = runTeam(await loadTeam(join(cwd, 'polite.yaml'), { env }), { task: 'Begin.', cwd, home: cwd, env })
  expect(await run.result).toMatchObject({ status: 'completed', result: 'It is done.' })
  expect(server.asked).toHaveLength(1)
  expect(server.complaints).toEqual([])
})
