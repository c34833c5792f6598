import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { expect, onTestFinished, test } from 'vitest'
import { createAgent } from '../../src/agent.ts'
import { applyTranscript, emptyTranscript } from '../../src/projections/screen/transcript.ts'
import { loadTeam } from '../../src/runtime/team-files/load-team.ts'
import { runTeam } from '../../src/runtime/run/run-team.ts'
import { modelServer, sendJson } from '../adapters/models/support/model-server.ts'
import { bareEnv } from '../support/bare-env.ts'
import { streamOf, turnsIn, type Api, type Speech } from '../support/vendors/speech.ts'
import { tempDir } from './support/stage.ts'

type Body = Readonly<Record<string, { readonly display?: string; readonly summary?: string } | undefined>>

/** A vendor that thinks before each answer, and shows it to those who ask for it. */
async function thinker(api: Api, speeches: readonly Speech[], refusal?: string) {
  const server = await modelServer(({ body }, response) => {
    const { thinking, reasoning } = body as Body
    const isShown = thinking?.display === 'summarized' || reasoning?.summary !== undefined
    if (isShown && refusal !== undefined) {
      sendJson(response, 400, { error: { message: refusal } })
      return
    }
    const said = speeches[turnsIn(api, body)] ?? { text: 'Nothing more.' }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(streamOf(api, isShown ? { ...said, thinking: `${api} ponders.` } : said))
  })
  onTestFinished(server.close)
  return server
}

test('members show what they think, each in its vendor’s way: on the screen, in the journal', async () => {
  const cwd = tempDir()
  const subtasks = ['open', 'shut'].map((worker) => ({ worker, task: 'Think.' }))
  const lead = await thinker('anthropic', [
    { text: '', calls: [{ id: 'd', name: 'Delegate', input: { subtasks } }] },
    { text: 'Thought.' },
  ])
  const worker = await thinker('responses', [{ text: 'Done.' }])
  const team = {
    name: 'thinkers',
    model: 'openai/o9',
    thinking: { display: 'detailed' },
    coordinator: { prompt: 'You lead.', model: 'anthropic/claude-opus-9' },
    workers: {
      open: { description: 'Thinks.', prompt: 'You think.' },
      shut: { description: 'Thinks.', prompt: 'You think.', thinking: { display: 'omitted' }, effort: 'low' },
    },
  }
  mkdirSync(join(cwd, 'teams'))
  writeFileSync(join(cwd, 'teams', 'thinkers.yaml'), stringify(team))
  const keys = { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' }
  const env = { ...bareEnv, ...keys, ANTHROPIC_BASE_URL: lead.root, OPENAI_BASE_URL: worker.root }
  const loaded = await loadTeam(join(cwd, 'teams', 'thinkers.yaml'), { env })
  const run = runTeam(loaded, { task: 'Think.', cwd, home: join(cwd, 'home'), env })
  const transcript = emptyTranscript()
  for await (const recorded of run.facts()) applyTranscript(transcript, recorded)
  expect(await run.result).toMatchObject({ status: 'completed', result: 'Thought.' })
  const thoughts = transcript.lines.filter(({ kind }) => kind === 'think').map(({ owner, text }) => `${owner}: ${text}`)
  expect(thoughts.toSorted()).toEqual([
    'lead: anthropic ponders.',
    'lead: anthropic ponders.',
    'open: responses ponders.',
  ])
  expect(lead.asked[0]?.body['thinking']).toEqual({ type: 'adaptive', display: 'summarized' })
  expect(worker.asked.map(({ body }) => body['reasoning'])).toContainEqual({ summary: 'detailed' })
  expect(worker.asked.map(({ body }) => body['reasoning'])).toContainEqual({ effort: 'low' })
})

test('a server that shows no thinking is asked without it, and that is said', async () => {
  const refusal = 'Your organization must be verified to generate reasoning summaries.'
  const server = await thinker('responses', [{ text: 'Done.' }], refusal)
  const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: server.root }
  const runDir = tempDir()
  const thinking = { display: 'summarized' } as const
  const agent = createAgent({ model: 'openai/o9', thinking, effort: 'high', env, home: '/none', runDir })
  expect(await agent.run('Think.').result).toMatchObject({ text: 'Done.' })
  expect(server.asked.map(({ body }) => body['reasoning'])).toEqual([
    { effort: 'high', summary: 'auto' },
    { effort: 'high' },
  ])
  const journal = readFileSync(join(runDir, 'agent.jsonl'), 'utf8')
  expect(journal).toMatch(/"model.conceded".*"visible thinking"/)
})
