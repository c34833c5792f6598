import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isAlive } from '../../src/adapters/process/liveness.ts'
import { livingLeader } from '../../src/runtime/runs/leader.ts'
import { recordOfRun } from '../../src/runtime/runs/read-runs.ts'
import { repository, start, teamRunning, troupe, type Started } from '../ui/cli/process/troupe.ts'

interface Fact {
  readonly id: string
  readonly type: string
}

interface Server extends Started {
  readonly cwd: string
  readonly url: string
  /** Asks with all rights, and takes no refusal for an answer. */
  ask(path: string, body?: object): Promise<Record<string, unknown>>
  /** The facts of a stream until its end, those behind `last`. */
  facts(run: string, last?: string): Promise<{ readonly facts: readonly Fact[]; readonly last: string }>
}

/** A repository with a team that asks. */
function workplace(): string {
  const cwd = repository()
  for (const [name, text] of Object.entries(teamRunning('touch made'))) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true })
    writeFileSync(join(cwd, name), text)
  }
  return cwd
}

/** `troupe serve` as a process of its own. */
async function serving(cwd = workplace(), ...options: readonly string[]): Promise<Server> {
  const server = start(cwd, ['serve', '--port', '0', '--json', ...options])
  let said = ''
  server.child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  await expect.poll(() => said).toMatch(/\}\n$/)
  const { url, tokens } = JSON.parse(said) as { url: string; tokens: string }
  const known = JSON.parse(readFileSync(tokens, 'utf8')) as { tokens: { token: string }[] }
  const headers = { authorization: `Bearer ${known.tokens.at(-1)?.token}`, 'content-type': 'application/json' }
  return {
    ...server,
    cwd,
    url,
    async ask(path, body) {
      const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
      const response = await fetch(url + path, { headers, ...sent })
      const text = await response.text()
      if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
      return JSON.parse(text) as Record<string, unknown>
    },
    async facts(run, last) {
      const behind = last === undefined ? {} : { 'last-event-id': last }
      const response = await fetch(`${url}/api/runs/${run}/events`, { headers: { ...headers, ...behind } })
      expect(response.status).toBe(200)
      const frames = [...(await response.text()).matchAll(/^id: (.*)\ndata: (.*)$/gm)]
      const facts = frames.map(([, , data = '']) => (JSON.parse(data) as { fact: Fact }).fact)
      return { facts, last: frames.at(-1)?.[1] ?? '' }
    },
  }
}

const dirOf = (cwd: string, run: string): string => join(cwd, '.troupe/runs', run)

/** Begins a team; the process that leads it is ended with the test, whatever happens. */
async function begun({ ask, cwd }: Server, team: string) {
  const { run, pid } = (await ask('/api/runs', { team, task: 'Do it.' })) as { run: string; pid: number }
  onTestFinished(() => {
    if (livingLeader(dirOf(cwd, run))?.pid === pid) process.kill(pid, 'SIGKILL')
  })
  return run
}

/** The question that a run of the team `one` waits with. */
async function question({ ask }: Server, run: string): Promise<string> {
  const pending = async (): Promise<readonly { readonly id: string }[]> =>
    (await ask(`/api/runs/${run}/approvals`))['approvals'] as { id: string }[]
  await expect.poll(pending).toHaveLength(1)
  return (await pending())[0]?.id ?? ''
}

const ids = (facts: readonly Fact[]): readonly string[] => facts.map(({ id }) => id).toSorted()
const written = (cwd: string, run: string): readonly string[] =>
  recordOfRun(dirOf(cwd, run))
    .recorded.map(({ entry }) => entry.id)
    .toSorted()

test('a team is started, followed to its end, led on and forked over HTTP', async () => {
  const server = await serving()
  const { ask, cwd } = server
  const run = await begun(server, 'quickstart')
  const whole = await server.facts(run)
  expect(whole.facts.findLast(({ type }) => type === 'team.ended')).toMatchObject({ status: 'completed' })
  expect(ids(whole.facts)).toEqual(written(cwd, run))

  const entry = whole.facts.findLast(({ id }) => id.startsWith('lead-'))?.id
  const forked = (await ask(`/api/runs/${run}/fork`, { at: entry }))['run'] as string
  expect(forked).not.toBe(run)
  await ask(`/api/runs/${forked}/continue`, { text: 'And now?' })
  const more = await server.facts(forked)
  expect(more.facts.map(({ type }) => type)).toContain('team.resumed')
  expect(ids(more.facts)).toEqual(written(cwd, forked))

  await ask(`/api/runs/${run}/continue`, { text: 'Go on.' })
  const rest = await server.facts(run, whole.last)
  expect(ids([...whole.facts, ...rest.facts])).toEqual(written(cwd, run))
  expect(rest.facts.map(({ type }) => type)).toContain('team.resumed')
})

test('a question is answered over HTTP, and another run is stopped with it', async () => {
  const server = await serving()
  const { ask, cwd } = server
  const [answered, stopped] = [await begun(server, 'one'), await begun(server, 'one')]
  await question(server, stopped)
  const following = server.facts(stopped)
  expect(await ask(`/api/runs/${stopped}/stop`, {})).toMatchObject({ outcome: 'ended' })
  expect(ids((await following).facts)).toEqual(written(cwd, stopped))
  expect(existsSync(join(cwd, 'made'))).toBe(false)
  const id = await question(server, answered)
  expect(await ask(`/api/runs/${answered}/approvals/${id}`, { behavior: 'allow' })).toMatchObject({ won: true })
  const { facts } = await server.facts(answered)
  expect(facts.findLast(({ type }) => type === 'team.ended')).toMatchObject({ status: 'completed' })
  expect(existsSync(join(cwd, 'made'))).toBe(true)
})

test('SIGTERM ends a server with open streams in order, and no run with it', async () => {
  const server = await serving()
  const run = await begun(server, 'one')
  await question(server, run)
  const following = server.facts(run)
  const { hostname, port } = new URL(server.url)
  const silent = connect(Number(port), hostname)
  onTestFinished(() => void silent.destroy())
  await new Promise((resolve) => silent.once('connect', resolve))
  const leader = livingLeader(dirOf(server.cwd, run))
  server.child.kill('SIGTERM')
  expect(await server.ended).toMatchObject({ code: 0, stderr: '' })
  expect(ids((await following).facts)).toEqual(written(server.cwd, run))
  expect(isAlive(leader?.pid ?? 0, leader?.started ?? 0)).toBe(true)
  expect(await troupe(server.cwd, ['stop', run])).toMatchObject({ code: 0 })
})

test('runs that are too old or too big go when a server begins, with their keys, and a running one stays', async () => {
  const server = await serving()
  const { cwd } = server
  const [old, young] = [await begun(server, 'quickstart'), await begun(server, 'quickstart')]
  for (const run of [old, young]) await server.facts(run)
  const running = await begun(server, 'one')
  await question(server, running)
  const keys = (): readonly string[] => readdirSync(join(cwd, '.troupe/keys')).toSorted()
  const file = join(dirOf(cwd, old), 'run.json')
  const month = 31 * 24 * 3_600_000
  const written = JSON.parse(readFileSync(file, 'utf8')) as { created: number }
  writeFileSync(file, JSON.stringify({ ...written, created: written.created - month }))
  const served = async (each: Server): Promise<readonly string[]> =>
    ((await each.ask('/api/runs'))['runs'] as { id: string }[]).map(({ id }) => id).toSorted()
  expect(await served(server)).toEqual([old, young, running].toSorted())
  expect(await served(await serving(cwd, '--older-than', '30d'))).toEqual([young, running].toSorted())
  expect(keys()).toEqual([young, running].toSorted())
  expect(await served(await serving(cwd, '--max-size', '1K', '--keep', '2'))).toEqual([young, running].toSorted())
  expect(await served(await serving(cwd, '--max-size', '1K'))).toEqual([running])
  expect(keys()).toEqual([running])
  expect(await troupe(cwd, ['stop', running])).toMatchObject({ code: 0 })
})
