import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { connectServer } from '../../../src/adapters/mcp/client/connect.ts'
import type { McpAnswer, McpQuestion, McpReply } from '../../../src/protocol/mcp/listing.ts'

const program = fileURLToPath(new URL('../../../src/ui/cli/bin.ts', import.meta.url))

const team = `name: duo
model: scripted/answers.yaml
coordinator: { prompt: You lead. }
workers:
  clerk: { description: Works., prompt: You work., tools: [Bash] }
`
const answers = `agents:
  lead:
    steps:
      - calls: [{ tool: Delegate, input: { subtasks: [{ worker: clerk, task: Go. }] } }]
      - say: '{{mail.clerk}}'
  clerk:
    steps:
      - calls: [{ tool: Bash, input: { command: 'touch made && echo yes' }, as: b }]
      - say: '{{b.text}}'
`

/** A client of `troupe mcp serve` in a folder with one team. */
async function client(args: readonly string[], question: (asked: McpQuestion) => McpReply | Promise<McpReply>) {
  const home = mkdtempSync(join(tmpdir(), 'troupe-serve-'))
  mkdirSync(join(home, 'teams'))
  writeFileSync(join(home, 'teams', 'duo.yaml'), team)
  writeFileSync(join(home, 'teams', 'answers.yaml'), answers)
  const { PATH = '' } = process.env
  const connection = await connectServer(
    { command: process.execPath, args: [program, 'mcp', 'serve', ...args] },
    { cwd: home, env: { PATH, HOME: home }, version: '0', roots: [], question: async (asked) => question(asked) },
  )
  onTestFinished(async () => {
    await connection.close()
    rmSync(home, { recursive: true, force: true })
  })
  const progress: string[] = []
  const call = (tool: string, input: object) =>
    connection.ask(
      { kind: 'tool', tool, input },
      { signal: AbortSignal.timeout(60_000), progress: (text) => progress.push(text) },
    )
  return { home, call, progress, tools: connection.listing.tools.map(({ name }) => name) }
}

function data(answer: McpAnswer): Readonly<Record<string, unknown>> {
  if ('trouble' in answer) throw new Error(answer.trouble)
  return JSON.parse(String(answer.content[0]?.['text'])) as Readonly<Record<string, unknown>>
}

test('a team is run for a client, and its person allows what rules leave open', async () => {
  const asked: unknown[] = []
  const { call, progress, tools } = await client([], ({ params }) => {
    asked.push(params['message'])
    return { result: { action: 'accept', content: { answer: 'allow' } } }
  })
  expect(tools.toSorted()).toEqual(['cost', 'pending', 'result', 'run_team', 'send', 'status'])
  const ended = data(await call('run_team', { team: 'duo', task: 'Go.' }))
  expect(ended).toMatchObject({ status: 'completed', result: expect.stringContaining('yes') as string })
  expect(asked.join()).toContain('clerk wants to call Bash')
  expect(progress.length).toBeGreaterThan(3)
  expect(data(await call('result', { run: String(ended['run']) }))).toMatchObject({ status: 'completed' })
  expect(data(await call('status', {}))).toMatchObject({ runs: [{ team: 'duo', state: 'completed' }] })
  expect(data(await call('cost', { run: 'duo' }))).toMatchObject({ run: ended['run'] })
})

test('a vague task is asked about where the team wants that, or refused with words for the caller', async () => {
  const vague = { team: 'vague', task: 'Fix it.' }
  const asked: unknown[] = []
  const { home, call } = await client([], ({ params }) => {
    asked.push(params['message'])
    return { result: { action: 'accept', content: { advice: 'The login.', answer: 'allow' } } }
  })
  writeFileSync(join(home, 'teams', 'vague.yaml'), team.replace('duo', 'vague\nclarify: true'))
  expect(data(await call('run_team', vague))).toMatchObject({ status: 'completed' })
  expect(asked[0]).toContain('This task says too little')
  const silent = await client([], () => ({ result: { action: 'decline' } }))
  writeFileSync(join(silent.home, 'teams', 'vague.yaml'), team.replace('duo', 'vague\nclarify: true'))
  for (const wait of [true, false]) {
    const refused = await silent.call('run_team', { ...vague, wait })
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('says too little') as string }],
    })
  }
  expect(data(await silent.call('status', {}))).toEqual({ runs: [] })
})

test('a person who declines denies the call, and the tool that answers is there only on demand', async () => {
  const { call, tools } = await client(['--allow-answers'], () => ({ result: { action: 'decline' } }))
  expect(tools).toContain('answer')
  const ended = data(await call('run_team', { team: 'duo', task: 'Go.' }))
  expect(ended['result']).toMatch(/did not answer/)
  expect(await call('result', { run: 'nothing' })).toMatchObject({ isError: true })
})

test('a client that may answer does so while its person does not, and the journal says who it was', async () => {
  const silent = new Promise<McpReply>(() => undefined)
  const { home, call } = await client(['--allow-answers'], () => silent)
  const { run } = data(await call('run_team', { team: 'duo', task: 'Go.', wait: false })) as { run: string }
  const pending = async () => data(await call('pending', {}))['pending'] as readonly { id: string; member: string }[]
  await expect.poll(async () => (await pending()).length, { timeout: 60_000 }).toBe(1)
  const [asked] = await pending()
  expect(await call('answer', { id: 'nobody', behavior: 'allow' })).toMatchObject({ isError: true })
  data(await call('answer', { id: asked?.id, behavior: 'allow' }))
  await expect
    .poll(async () => data(await call('result', { run })), { timeout: 60_000 })
    .toMatchObject({ status: 'completed', result: expect.stringContaining('yes') as string })
  const journals = readdirSync(join(home, '.troupe/runs', run, 'journal')).map((name) =>
    readFileSync(join(home, '.troupe/runs', run, 'journal', name), 'utf8'),
  )
  expect(journals.join('')).toContain('an MCP client, by --allow-answers')
})
