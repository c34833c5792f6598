import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { expect, onTestFinished, test } from 'vitest'
import { loadTeam } from '../../src/runtime/team-files/load-team.ts'
import { runTeam } from '../../src/runtime/run/run-team.ts'
import { modelServer, sendJson } from '../adapters/models/support/model-server.ts'
import { bareEnv } from '../support/bare-env.ts'
import { streamOf, turnsIn, type Api, type Speech } from '../support/vendors/speech.ts'
import { tempDir } from './support/stage.ts'

/** A vendor that may refuse keys, and speaks turn by turn. */
async function vendor(api: Api, speeches: readonly Speech[], isGood: (key: string) => boolean = () => true) {
  const server = await modelServer(({ path, headers, body }, response) => {
    if (path === '/api/show') {
      sendJson(response, 404, {})
      return
    }
    const key = String(headers['x-api-key'] ?? headers.authorization ?? '')
    if (isGood(key)) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(streamOf(api, speeches[turnsIn(api, body)] ?? { text: 'Nothing more.' }))
    } else sendJson(response, 401, { error: { message: 'invalid key' } })
  })
  onTestFinished(server.close)
  return server
}

const looking = { id: 'l1', name: 'LS', input: { path: '.' } }
const look: Speech = { text: '', calls: [looking] }

test('three providers work in one run, and a key that is swapped in the middle loses no turn', async () => {
  const cwd = tempDir()
  const keyFile = join(cwd, 'key')
  writeFileSync(keyFile, 'key-one\n')
  let valid = 'key-one'
  const returns = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
  const subtasks = [
    { worker: 'near', task: 'Count here.', returns },
    { worker: 'far', task: 'Count there.' },
  ]
  const lead = await vendor('anthropic', [
    { text: '', calls: [{ id: 'd', name: 'Delegate', input: { subtasks } }] },
    { text: 'Seven and nine.' },
  ])
  const near = await vendor('chat', [look, { text: '{"n": 7}' }])
  const far = await vendor('chat', [look, { ...look, calls: [{ ...looking, id: 'l2' }] }, { text: 'Nine.' }], (key) => {
    const isGood = key === `Bearer ${valid}`
    // The vendor takes the key back as soon as it has answered with it once.
    if (valid === 'key-one') {
      valid = 'key-two'
      writeFileSync(keyFile, 'key-two\n')
    }
    return isGood
  })
  const team = {
    name: 'trio',
    model: 'anthropic/claude-opus-5',
    coordinator: { prompt: 'You lead.' },
    workers: {
      near: { description: 'Counts.', prompt: 'You count.', tools: ['LS'], model: 'ollama/qwen' },
      far: { description: 'Counts.', prompt: 'You count.', tools: ['LS'], model: 'openrouter/any' },
    },
    providers: { openrouter: { base_url: `${far.root}/api/v1`, key: { command: `cat ${keyFile}` } } },
  }
  mkdirSync(join(cwd, 'teams'))
  writeFileSync(join(cwd, 'teams', 'trio.yaml'), stringify(team))
  const env = {
    ...bareEnv,
    ANTHROPIC_API_KEY: 'sk-lead',
    ANTHROPIC_BASE_URL: lead.root,
    OLLAMA_BASE_URL: `${near.root}/v1`,
  }
  const loaded = await loadTeam(join(cwd, 'teams', 'trio.yaml'), { env })
  const run = runTeam(loaded, { task: 'Count.', cwd, home: join(cwd, 'home'), env, trusted: true })
  expect(await run.result).toMatchObject({ status: 'completed', result: 'Seven and nine.' })
  // A worker that owes a value and has tools is offered a form for it, and forced into none.
  const first = near.asked.find(({ path }) => path === '/v1/chat/completions')
  expect(first?.text).toContain('"name":"answer"')
  expect(first?.text).not.toMatch(/response_format|tool_choice/)
  expect(first?.headers.authorization).not.toContain('sk-lead')
  expect(far.asked.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer key-one',
    'Bearer key-one',
    'Bearer key-two',
    'Bearer key-two',
  ])
  expect(JSON.stringify(lead.asked.at(-1)?.body)).toContain('{\\"n\\":7}')
})

test('workers that share a key all go on when it is taken back, whoever hears of it first', async () => {
  const cwd = tempDir()
  const keyFile = join(cwd, 'key')
  writeFileSync(keyFile, 'key-one\n')
  const names = ['ann', 'ben', 'cid', 'dan']
  const subtasks = names.map((worker) => ({ worker, task: 'Count.' }))
  const lead = await vendor('anthropic', [
    { text: '', calls: [{ id: 'd', name: 'Delegate', input: { subtasks } }] },
    { text: 'All have counted.' },
  ])
  const waiting: (() => void)[] = []
  const router = await modelServer(({ headers, body }, response) => {
    const isNew = headers.authorization === 'Bearer key-two'
    const answer = (): void => {
      if (isNew) {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(streamOf('chat', [look, { text: 'Counted.' }][turnsIn('chat', body)] ?? { text: 'No more.' }))
      } else sendJson(response, 401, { error: { message: 'invalid key' } })
    }
    if (isNew) {
      answer()
      // The others hear only now that the key which they had sent is none any more.
      for (const each of waiting.splice(0)) each()
      return
    }
    waiting.push(answer)
    if (waiting.length < names.length) return
    writeFileSync(keyFile, 'key-two\n')
    waiting.shift()?.()
  })
  onTestFinished(router.close)
  const team = {
    name: 'four',
    model: 'anthropic/claude-opus-5',
    coordinator: { prompt: 'You lead.', gather: { on_failure: { retry: 0 } } },
    workers: Object.fromEntries(
      names.map((name) => [name, { description: 'Counts.', prompt: 'You count.', tools: ['LS'], model: 'router/any' }]),
    ),
    providers: { router: { base_url: `${router.root}/v1`, key: { command: `cat ${keyFile}` } } },
  }
  const env = { ...bareEnv, ANTHROPIC_API_KEY: 'sk-lead', ANTHROPIC_BASE_URL: lead.root }
  const run = runTeam(await loadTeam(team, { cwd, env }), {
    task: 'Count.',
    cwd,
    home: join(cwd, 'home'),
    env,
    trusted: true,
  })
  expect(await run.result).toMatchObject({ status: 'completed', missing: [], result: 'All have counted.' })
})
