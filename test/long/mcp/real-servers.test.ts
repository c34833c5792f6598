import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connectServer } from '../../../src/adapters/mcp/client/connect.ts'
import { play } from '../../runtime/support/stage.ts'
import { runs } from './broker-stage.ts'
import { realServers } from './real-servers.ts'

interface RecordedServer {
  readonly prompts: readonly string[]
  readonly resources: boolean
  readonly tools: Readonly<Record<string, string>>
}

/** The lists of these servers, as another client took them from them; of each tool the names of what it takes. */
const recordedServers = JSON.parse(
  readFileSync(new URL('./recorded-servers.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, RecordedServer>>

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'troupe-real-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

test.for(Object.entries(recordedServers))('%s lists what it listed to another client', async ([name, recorded]) => {
  const cwd = folder()
  const { PATH = '' } = process.env
  const place = { cwd, env: { PATH, HOME: cwd }, version: '1', roots: [cwd] }
  const question = () => Promise.resolve({ refusal: 'nobody is there' })
  const { listing, close } = await connectServer(realServers(cwd)[name] ?? {}, { ...place, question })
  await close()
  expect(listing.warnings).toEqual([])
  expect(listing.prompts.map((prompt) => prompt.name)).toEqual(recorded.prompts)
  expect(listing.resources).toBe(recorded.resources)
  const takes = ({ properties = {} }: Readonly<Record<string, unknown>>) => Object.keys(properties as object).toSorted()
  const tools = listing.tools.map(({ name: tool, inputSchema }) => [tool, takes(inputSchema).join(', ')] as const)
  expect(Object.fromEntries(tools)).toEqual(recorded.tools)
})

// The recordings cannot say it to the letter: servers write their schemas by whichever zod is installed beside them.
test.for(Object.keys(recordedServers))('%s has the schemas that a bare client gets, to the letter', async (name) => {
  const cwd = folder()
  const env = { PATH: process.env['PATH'] ?? '', HOME: cwd }
  const spec = realServers(cwd)[name] ?? {}
  const bare = new Client({ name: 'bare', version: '1' })
  const { command = '', args = [] } = spec
  await bare.connect(new StdioClientTransport({ command, args, env: { ...env, ...spec.env }, cwd, stderr: 'ignore' }))
  const { tools } = await bare.listTools()
  await bare.close()
  const question = () => Promise.resolve({ refusal: 'nobody is there' })
  const { listing, close } = await connectServer(spec, { cwd, env, version: '1', roots: [cwd], question })
  await close()
  const schemas = (all: readonly { name: string; inputSchema: unknown; outputSchema?: unknown }[]) =>
    all.map((tool) => [tool.name, tool.inputSchema, tool.outputSchema])
  // A client that can be asked things is offered more.
  const both = listing.tools.filter((tool) => tools.some(({ name: its }) => its === tool.name))
  expect(schemas(both)).toEqual(schemas(tools))
})

const calls = [
  { tool: 'mcp__everything__echo', input: { message: 'ahoy' }, as: 'a' },
  { tool: 'mcp__filesystem__list_directory', input: { path: '.' }, as: 'b' },
  { tool: 'mcp__memory__search_nodes', input: { query: 'ship' }, as: 'c' },
  { tool: 'mcp__playwright__browser_close', input: {}, as: 'd' },
  {
    tool: 'mcp__sequential-thinking__sequentialthinking',
    input: { thought: 'One.', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
    as: 'e',
  },
]
const tools = calls.map(({ tool }) => tool)
const denied = { tool: 'mcp__memory__delete_entities', input: { entityNames: ['ship'] }, as: 'f' }
const outside = { tool: 'mcp__filesystem__list_directory', input: { path: '/etc' }, as: 'g' }

test('five servers serve twenty members in three processes, each by the rules that hold for it', async () => {
  const cwd = folder()
  const crew = Array.from({ length: 18 }, (_, n) => `crew-${n + 1}`)
  const members = [...crew, 'near', 'far']
  const script = {
    steps: [
      { calls: [...calls, denied, outside] },
      { say: '{{a.text}}|{{b.text}}|{{c.text}}|{{d.text}}|{{e.text}}|{{f.text}}|{{g.text}}' },
    ],
  }
  const worker = { description: 'Works.', prompt: 'You work.', tools: [...tools, denied.tool] }
  const team = {
    name: 'fleet',
    scope: ['.'],
    permissions: { allow: tools, deny: [denied.tool] },
    mcp_servers: realServers(cwd),
    coordinator: { prompt: 'You lead.', gather: { timeout: '10m' } },
    workers: {
      crew: { ...worker, replicas: 18 },
      near: { ...worker, executor: 'process' },
      far: { ...worker, executor: 'process' },
    },
  }
  const subtasks = members.map((name) => ({ worker: name, task: 'Go.' }))
  const lead = {
    steps: [
      { calls: [{ tool: 'Delegate', input: { subtasks } }] },
      { say: members.map((name) => `{{mail.${name}}}`).join('\n') },
    ],
  }
  const scripts = Object.fromEntries(members.map((name) => [name, script]))
  const { run, result } = await play(team, { lead, ...scripts }, { trusted: true, files: { 'here.txt': 'x' } })
  const servers = new Set<number>()
  const asked = { before: 0, most: 0 }
  run.subscribe(({ entry }) => {
    if (entry.type !== 'call.finished' || !entry.tool.startsWith('mcp__')) return
    const now = serversOf(run.dir)
    asked.most = Math.max(asked.most, now.length)
    for (const pid of now) servers.add(pid)
  })
  const ended = await result
  expect(ended.status).toBe('completed')
  const lines = (ended.result ?? '').split('\n').filter((line) => line.includes('ahoy'))
  expect(lines).toHaveLength(20)
  expect(ended.result?.match(/here\.txt/g)).toHaveLength(20)
  expect(ended.result?.match(/thoughtHistoryLength/g)).toHaveLength(20)
  expect(ended.result?.match(/mcp__memory__delete_entities matches/g)?.length).toBeGreaterThanOrEqual(20)
  expect(ended.result?.match(/outside the team's scope/g)).toHaveLength(20)
  expect(asked.most).toBe(5)
  expect(servers.size).toBe(5)
  expect([...servers].filter(runs)).toEqual([])
})

/** Ids of the processes that the broker of a run has started. */
function serversOf(dir: string): readonly number[] {
  const { pid } = JSON.parse(readFileSync(join(dir, 'mcp.json'), 'utf8')) as { pid: number }
  const broker = execFileSync('pgrep', ['-P', String(pid), '-f', 'mcp-broker'], { encoding: 'utf8' }).trim()
  return execFileSync('pgrep', ['-P', broker], { encoding: 'utf8' }).trim().split('\n').map(Number)
}
