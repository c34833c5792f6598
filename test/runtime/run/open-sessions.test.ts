import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createAgent, openSessions, type AgentOptions } from '../../../src/index.ts'
import { modelServer } from '../../adapters/models/support/model-server.ts'
import { bareEnv } from '../../support/bare-env.ts'
import { streamOf } from '../../support/vendors/speech.ts'

/** A server that says how many words of users a request holds, and options of agents that ask it. */
async function place() {
  const dir = mkdtempSync(join(tmpdir(), 'troupe-sessions-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const seen: string[] = []
  const server = await modelServer(({ text, body }, response) => {
    seen.push(text)
    const { messages } = body as { readonly messages: readonly { readonly role: string }[] }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(streamOf('anthropic', { text: String(messages.filter(({ role }) => role === 'user').length) }))
  })
  onTestFinished(server.close)
  const env = { ...bareEnv, ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: server.root }
  const options: AgentOptions = {
    model: 'anthropic/claude-opus-5',
    cwd: dir,
    home: dir,
    env,
    runDir: join(dir, 'runs'),
  }
  return { dir, seen, options }
}

test('each session has a conversation of its own, side by side, and goes on with it in a later runtime', async () => {
  const { dir, seen, options } = await place()
  const sessions = openSessions(options)
  const say = async (name: string, words: string): Promise<string> =>
    (await sessions.session(name).run(words).result).text
  expect(await Promise.all([say('ann', 'I am Ann.'), say('ben', 'I am Ben.')])).toEqual(['1', '1'])
  expect(await say('ann', 'Who am I?')).toBe('2')
  expect(seen.at(-1)).not.toContain('Ben')
  expect(sessions.session('ann')).toBe(sessions.session('ann'))
  expect(sessions.names()).toEqual(['ann', 'ben'])
  sessions.close('ben')
  expect(sessions.names()).toEqual(['ann'])
  expect(await say('ben', 'Who am I?')).toBe('2')
  sessions.close()
  const later = openSessions(options)
  expect((await later.session('ann').run('And now?').result).text).toBe('3')
  later.close()
  expect(existsSync(join(dir, 'runs', 'ann', 'agent.jsonl'))).toBe(true)
  for (const name of ['', '.', '../ann', 'a/b', 'x'.repeat(101)])
    expect(() => sessions.session(name)).toThrow('is no name of a session')
})

test('warmup opens the models before any run, once, and says which cannot be opened; what was mended is opened then', async () => {
  const { dir, seen, options } = await place()
  const sessions = openSessions(options)
  await Promise.all([sessions.warmup(), sessions.warmup(), sessions.session('ann').warmup()])
  expect(seen).toEqual([])
  expect((await sessions.session('ann').run('Hi.').result).text).toBe('1')
  sessions.close()
  const agent = createAgent({ model: 'scripted/answers.yaml', cwd: dir, home: dir, env: {} })
  await expect(agent.warmup()).rejects.toThrow('answers.yaml')
  await expect(agent.run('Hi.').result).rejects.toThrow('answers.yaml')
  writeFileSync(join(dir, 'answers.yaml'), JSON.stringify({ agents: { agent: { steps: [{ say: 'Here.' }] } } }))
  await agent.warmup()
  expect((await agent.run('Hi.').result).text).toBe('Here.')
})
