import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readMember } from '../../src/adapters/sessions/read-run.ts'
import { play } from './support/stage.ts'

/** An address that answers with what it was asked. */
async function echo(): Promise<string> {
  const server = createServer((request, response) => {
    request.setEncoding('utf8')
    let body = ''
    request.on('data', (text: string) => (body += text))
    request.on('end', () => response.end(`heard ${(JSON.parse(body) as { input: { title: string } }).input.title}`))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}/`
}

const ticket = (url: string) => ({
  description: 'Opens a ticket in the queue.',
  url,
  input: {
    type: 'object',
    properties: { title: { type: 'string', description: 'What is wrong.' } },
    required: ['title'],
  },
})

const shout = `export const tool = ({ defineTool, z }) => defineTool({
  name: 'Shout', description: 'Says it loudly.', effect: 'none', isReadOnly: () => true, defer: true,
  input: z.strictObject({ text: z.string().describe('What to say.') }),
  run: async ({ text }) => ({ content: [{ type: 'text', text: text.toUpperCase() }] }),
})
`

const delegation = { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'clerk', task: 'Go.' }] } }] }
const lead = { steps: [delegation, { say: '{{mail.clerk}}' }] }
const open = { mode: 'bypassPermissions', allowBypass: true, trusted: true } as const

test('what a worker looked up is there after it was killed', async () => {
  const clerk = { description: 'Works.', prompt: 'You work.', tools: ['Shout'], executor: 'process' }
  const team = { name: 'support', coordinator: { prompt: 'You lead.' }, workers: { clerk } }
  const steps = [
    { calls: [{ tool: 'ToolSearch', input: { names: ['Shout'] } }] },
    { calls: [{ tool: 'Shout', input: { text: 'ahoy' }, as: 's' }] },
    { say: '{{s.text}}' },
  ]
  const files = { 'teams/tools/Shout.js': shout }
  const { run, result } = await play(team, { lead, clerk: { steps } }, { ...open, files })
  let lives = 0
  run.subscribe(({ owner, entry }) => {
    if (owner === 'clerk' && entry.type === 'call.finished' && lives++ === 0)
      process.kill(readMember(run.dir, 'clerk')?.pid ?? 0, 'SIGKILL')
  })
  expect(await result).toMatchObject({ status: 'completed', result: 'AHOY' })
})

describe.each(['in-process', 'process'] as const)('the tools that a team brings along, %s', (executor) => {
  const teamWith = (tools: readonly string[], more: object) => ({
    name: 'support',
    coordinator: { prompt: 'You lead.' },
    workers: { clerk: { description: 'Works.', prompt: 'You work.', tools, executor } },
    ...more,
  })

  test('as calls to an address are there for the worker that is given them, and reach the public web only', async () => {
    const permissions = { allow: ['Ticket'] }
    const team = teamWith(['Ticket'], { permissions, http_tools: { Ticket: ticket(await echo()) } })
    const clerk = {
      steps: [{ calls: [{ tool: 'Ticket', input: { title: 'smoke' }, as: 't' }] }, { say: '{{t.text}}' }],
    }
    const { result } = await play(team, { lead, clerk }, open)
    const ended = await result
    expect(ended.status).toBe('completed')
    expect(ended.result).toContain('closed to tools')
  })

  test('as code are there too, a deferred one once it was looked up', async () => {
    const steps = [
      { calls: [{ tool: 'ToolSearch', input: { query: 'loudly' } }] },
      { calls: [{ tool: 'Shout', input: { text: 'ahoy' }, as: 's' }] },
      { say: '{{s.text}}' },
    ]
    const files = { 'teams/tools/Shout.js': shout }
    const { result } = await play(teamWith(['Shout'], {}), { lead, clerk: { steps } }, { ...open, files })
    expect(await result).toMatchObject({ status: 'completed', result: 'AHOY' })
  })
})
