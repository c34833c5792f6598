import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { modelServer, sendEvents } from '../adapters/models/support/model-server.ts'
import { loadTeam } from '../../src/runtime/team-files/load-team.ts'
import { runTeam } from '../../src/runtime/run/run-team.ts'
import { settingsModels } from '../../src/runtime/settings/load-rules.ts'
import { trustQuestion } from '../../src/runtime/settings/workspace-trust.ts'
import { tempDir } from './support/stage.ts'

const said = (content: string) => [{ choices: [{ index: 0, delta: { content }, finish_reason: 'stop' }] }, '[DONE]']
const spoken = (text: string) => [
  { type: 'message_start', message: { role: 'assistant', usage: { input_tokens: 5, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
  { type: 'message_stop' },
]
const delegates = (workers: readonly string[]) => [
  { type: 'message_start', message: { role: 'assistant', usage: { input_tokens: 5, output_tokens: 1 } } },
  {
    type: 'content_block_start',
    index: 0,
    content_block: {
      type: 'tool_use',
      id: 'd1',
      name: 'Delegate',
      input: { subtasks: workers.map((worker) => ({ worker, task: 'Look.' })) },
    },
  },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 5 } },
  { type: 'message_stop' },
]

async function threeVendors() {
  let leadTurns = 0
  const lead = await modelServer((_, response) => {
    leadTurns += 1
    sendEvents(response, leadTurns === 1 ? delegates(['scout', 'scribe']) : spoken('All is done.'))
  })
  const router = await modelServer((_, response) => sendEvents(response, said('The router looked.')))
  const local = await modelServer((_, response) => sendEvents(response, said('The local one looked.')))
  for (const { close } of [lead, router, local]) onTestFinished(close)
  return { lead, router, local }
}

const teamOf = (root: string) => ({
  name: 'mixed',
  providers: { mine: { base_url: `${root}/v1`, key: '$MINE_KEY' } },
  coordinator: { prompt: 'You lead.', model: 'anthropic/claude-opus-5' },
  workers: {
    scout: { description: 'Looks.', prompt: 'You look.', model: 'mine/free' },
    scribe: { description: 'Writes.', prompt: 'You write.', model: 'ollama/qwen' },
  },
})

async function stage() {
  const { lead, router, local } = await threeVendors()
  const cwd = tempDir()
  const home = tempDir()
  const env = {
    HOME: home,
    ANTHROPIC_API_KEY: 'sk-ant-test-000',
    ANTHROPIC_BASE_URL: lead.root,
    MINE_KEY: 'key-of-mine-000',
    OLLAMA_BASE_URL: `${local.root}/v1`,
  }
  const team = await loadTeam(teamOf(router.root), { cwd, env })
  return { team, place: { cwd, home, env, policyRoot: join(home, 'none') }, lead, router, local }
}

test('a team of three providers at once, each with its own key', async () => {
  const { team, place, lead, router, local } = await stage()
  const { result } = runTeam(team, { task: 'Look around.', trusted: true, ...place })
  expect(await result).toMatchObject({ status: 'completed', result: 'All is done.' })
  expect(router.asked[0]?.headers.authorization).toBe('Bearer key-of-mine-000')
  expect(JSON.stringify(local.asked[0]?.headers)).not.toMatch(/key-of-mine|sk-ant/)
  expect(JSON.stringify(lead.asked[0]?.headers)).toContain('sk-ant-test-000')
})

test('a provider of the team file counts only where a person trusts it, shown with its address and variables', async () => {
  const { team, place, router } = await stage()
  const { grants } = await trustQuestion(place, team)
  expect(grants).toMatchObject([{ kind: 'provider', text: `provider mine sends $MINE_KEY to ${router.root}/v1` }])
  await expect(runTeam(team, { task: 'Look around.', ...place }).result).rejects.toThrow(/nobody trusts it here/)
  expect(router.asked).toHaveLength(0)
})

test("a person's own settings name providers, those of a project wait for trust", async () => {
  const { place, router } = await stage()
  const spec = { base_url: `${router.root}/v1` }
  for (const dir of [place.cwd, place.home]) mkdirSync(join(dir, '.troupe'), { recursive: true })
  writeFileSync(join(place.home, '.troupe/settings.json'), JSON.stringify({ providers: { router: spec } }))
  const own = { ...teamOf(router.root), providers: undefined }
  const named = { ...own, coordinator: { prompt: 'You lead.', model: 'router/any' } }
  const team = { ...named, workers: { scribe: { ...own.workers.scribe, model: 'router/any' } } }
  const { result } = runTeam(await loadTeam(team, { ...place, ...settingsModels(place) }), {
    task: 'Look.',
    ...place,
  })
  expect(await result).toMatchObject({ result: 'The router looked.' })
  const other = { key: { command: 'pass router' }, base_url: 'https://elsewhere.invalid' }
  writeFileSync(join(place.cwd, '.troupe/settings.json'), JSON.stringify({ providers: { router: other } }))
  const { grants, settings } = await trustQuestion(place)
  expect(grants.map(({ text }) => text)).toEqual([
    'provider router runs `pass router` and asks https://elsewhere.invalid',
  ])
  expect(settings.providers).toEqual({ router: spec })
})
