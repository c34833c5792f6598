import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseScript } from '../../../src/adapters/models/scripted/script.ts'
import { scriptedModel } from '../../../src/adapters/models/scripted/scripted.ts'
import { defineTool } from '../../../src/adapters/tools/define/define-tool.ts'
import type { Extensions } from '../../../src/runtime/runs/extensions.ts'
import { resumeTeam } from '../../../src/runtime/run/resume-team.ts'
import { runTeam } from '../../../src/runtime/run/run-team.ts'
import { loadTeam, TeamFileError } from '../../../src/runtime/team-files/load-team.ts'
import { bareEnv } from '../../support/bare-env.ts'
import { play, tempDir } from '../support/stage.ts'

const lookUp = defineTool({
  name: 'LookUp',
  description: 'Looks a word up.',
  input: z.strictObject({ word: z.string() }),
  effect: 'none',
  isReadOnly: () => true,
  run: ({ word }) => Promise.resolve({ content: [{ type: 'text', text: `${word} means boat` }] }),
})

const answers = {
  agents: {
    ana: { steps: [{ calls: [{ tool: 'LookUp', input: { word: 'ship' }, as: 'l' }] }, { say: '{{l.text}}' }] },
  },
}
const opened: string[] = []
const added: Extensions = {
  tools: [lookUp],
  providers: {
    acme(model) {
      opened.push(model)
      return scriptedModel(`acme/${model}`, parseScript('answers.yaml', JSON.stringify(answers)))
    },
  },
}

const team = {
  name: 'words',
  coordinator: { prompt: 'You lead.' },
  workers: { ana: { description: 'Reads.', prompt: 'You read.', model: 'acme/large/2', tools: ['LookUp'] } },
}
const lead = {
  steps: [
    { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'What is a ship?' }] } }] },
    { say: '{{mail.ana}}' },
  ],
}

test('a model and a tool of the program answer to their names', async () => {
  const { result } = await play(team, { lead }, added)
  expect(await result).toMatchObject({ status: 'completed', result: 'ship means boat' })
  expect(opened).toEqual(['large/2'])
})

test('who runs a team without what it names is told so and nothing of the run stays', async () => {
  const cwd = tempDir()
  const loaded = await loadTeam({ ...team, model: 'acme/small' }, { cwd, ...added })
  const options = { cwd, home: cwd, env: bareEnv }
  const run = runTeam(loaded, { task: 'Begin.', ...options })
  const lacking = await run.result.catch((error: unknown) => error)
  expect(lacking).toBeInstanceOf(TeamFileError)
  expect((lacking as TeamFileError).diagnostics.map(({ path, code }) => `${path} ${code}`)).toEqual([
    'workers.ana.tools[0] unknown_tool',
    'coordinator.model unknown_provider',
    'workers.ana.model unknown_provider',
  ])
  await expect(resumeTeam(run.dir, options)).rejects.toThrow('is no run directory')
})

test('workers cannot be sent where parts of the program are not', async () => {
  const cwd = tempDir()
  const loaded = await loadTeam({ ...team, model: 'acme/small' }, { cwd, ...added })
  const { result } = runTeam(loaded, { task: 'Begin.', cwd, home: cwd, env: bareEnv, executor: 'process', ...added })
  await expect(result).rejects.toThrow('is to run in process, where there is no LookUp')
})
