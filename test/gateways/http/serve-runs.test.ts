import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { pendingApprovals } from '../../../src/runtime/runs/answer-approval.ts'
import { recordOfRun } from '../../../src/runtime/runs/read-runs.ts'
import { forkRun } from '../../../src/runtime/run/fork-run.ts'
import { play } from '../../runtime/support/stage.ts'
import { served, type Served } from './served.ts'

const team = {
  name: 'duo',
  coordinator: { prompt: 'p' },
  workers: { ana: { description: 'd', prompt: 'p', tools: ['Bash'] } },
}
const script = {
  lead: {
    steps: [
      { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Touch it.' }] } }] },
      { say: 'All is well.' },
    ],
  },
  ana: { steps: [{ calls: [{ tool: 'Bash', input: { command: 'touch new' } }] }, { say: 'Touched.' }] },
}

/** A run that waits for a person, and a server of it. */
async function asking() {
  const { run, cwd, result } = await play(team, script, { permissionWaitMs: 600_000 })
  await expect.poll(() => pendingApprovals([run.dir]).length).toBe(1)
  return { ...(await served(cwd, join(cwd, 'home'))), run, result }
}

interface Frame {
  readonly id: string | undefined
  readonly data: { readonly type: string; readonly seq: number; readonly fact?: { readonly id: string } }
}

/** Server-sent events until the stream ends, or has so many. */
async function framesOf({ url, token }: Served, path: string, headers = {}, most = Number.POSITIVE_INFINITY) {
  const stop = new AbortController()
  const own = { authorization: `Bearer ${token('read')}`, ...headers }
  const response = await fetch(`${url}${path}`, { headers: own, signal: stop.signal })
  const frames: Frame[] = []
  let rest = ''
  for await (const chunk of response.body ?? []) {
    const parts = (rest + Buffer.from(chunk).toString('utf8')).split('\n\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const data = /^data: (.*)$/m.exec(part)?.[1]
      if (data !== undefined)
        frames.push({ id: /^id: (.*)$/m.exec(part)?.[1], data: JSON.parse(data) as Frame['data'] })
    }
    if (frames.length >= most) break
  }
  stop.abort()
  return { status: response.status, frames }
}

test('a question is answered from here once, and the run goes on', async () => {
  const server = await asking()
  const { ask, post, run, result } = server
  const { body } = await ask('/api/approvals')
  expect(body).toMatchObject({
    approvals: [{ run: run.id, live: true, tool: 'Bash', input: { command: 'touch new' } }],
  })
  const [{ id = '' } = {}] = (body as { approvals: { id?: string }[] }).approvals
  const path = `/api/runs/${run.id}/approvals/${id}`
  expect((await post(path, { behavior: 'deny', advice: 'Not now.' })).body).toMatchObject({ won: true })
  expect((await post(path, { behavior: 'allow' })).body).toMatchObject({ won: false, answer: { behavior: 'deny' } })
  expect(await result).toMatchObject({ status: 'completed' })
  const decided = recordOfRun(run.dir).recorded.findLast(({ entry }) => entry.type === 'permission.decided')?.entry
  expect(decided).toMatchObject({ by: 'troupe serve', decision: { behavior: 'deny', source: 'human' } })
})

test('a stream tells every fact once, goes on behind the last one, and ends for good', async () => {
  const server = await asking()
  const { post, run, result } = server
  const path = `/api/runs/${run.id}/events`
  const some = await framesOf(server, path, {}, 5)
  const last = some.frames.findLast(({ id }) => id !== undefined)
  expect(last?.data.type).toBe('fact')
  const [question] = pendingApprovals([run.dir])
  const rest = framesOf(server, path, { 'last-event-id': last?.id })
  await post(`/api/runs/${run.id}/approvals/${question?.request.id}`, { behavior: 'deny' })
  await result
  const told = [...some.frames, ...(await rest).frames].flatMap(({ data }) => data.fact?.id ?? [])
  const written = recordOfRun(run.dir).recorded.map(({ entry }) => entry.id)
  expect(told.toSorted()).toEqual(written.toSorted())
  const end = (await rest).frames.findLast(({ id }) => id !== undefined)
  expect((await framesOf(server, path, { 'last-event-id': end?.id })).status).toBe(204)
  const anew = await framesOf(server, path, { 'last-event-id': 'another-server.3' })
  expect(anew.frames.filter(({ data }) => data.type === 'fact').length).toBe(written.length)
})

test('a socket that broke goes on behind the fact that its reader names, as the other stream does', async () => {
  const server = await asking()
  const { post, run, result, ask } = server
  const path = `/api/runs/${run.id}`
  const told: Told[] = []
  // The first connections break after some events each, in the midst of a run that waits.
  for (const most of [1, 3, 5, 2]) told.push(...(await heardOn(server, path, told, most)))
  const [question] = pendingApprovals([run.dir])
  const rest = heardOn(server, path, told)
  await post(`${path}/approvals/${question?.request.id}`, { behavior: 'deny' })
  await result
  told.push(...(await rest))
  const facts = told.flatMap(({ fact }) => fact?.id ?? [])
  const written = recordOfRun(run.dir).recorded.map(({ entry }) => entry.id)
  expect(facts.toSorted()).toEqual(written.toSorted())
  expect(await heardOn(server, path, told)).toEqual([])
  const last = told.findLast(({ id }) => id !== undefined)?.id ?? ''
  expect((await ask(`${path}/events?after=${last}`)).status).toBe(204)
  const anew = await heardOn(server, path, [{ id: 'another-server.3' }])
  expect(anew.filter(({ fact }) => fact !== undefined).length).toBe(written.length)
  expect((await ask(`${path}/events?afetr=${last}`)).status).toBe(400)
})

interface Told {
  readonly id?: string
  readonly fact?: { readonly id: string }
}

/** The events of a socket behind those that were told, until the server closes it, or so many came. */
function heardOn(
  { url, token }: Served,
  path: string,
  told: readonly Told[],
  most = Number.POSITIVE_INFINITY,
): Promise<readonly Told[]> {
  const after = told.findLast(({ id }) => id !== undefined)?.id
  const address = `${url.replace('http', 'ws')}${path}/socket${after === undefined ? '' : `?after=${after}`}`
  const socket = new WebSocket(address, { headers: { authorization: `Bearer ${token('read')}` } })
  const heard: Told[] = []
  return new Promise((resolve, reject) => {
    socket.on('message', (data: Buffer) => {
      if (heard.length < most) heard.push(JSON.parse(data.toString('utf8')) as Told)
      if (heard.length >= most) socket.terminate()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(heard))
  })
}

test('what the command line shows is here, too, and each part is described', async () => {
  const { ask, post, run, result } = await asking()
  const at = `/api/runs/${run.id}`
  expect((await ask('/api/runs')).body).toMatchObject({ runs: [{ id: run.id, state: 'running', team: 'duo' }] })
  expect((await ask(at)).body).toMatchObject({ id: run.id, cost_usd: 0, hung: [] })
  expect((await ask(`${at}/members`)).body).toMatchObject({
    members: [{ name: 'lead' }, { name: 'ana', waits_for_you: 1 }],
  })
  expect((await ask(`${at}/cost`)).body).toMatchObject({ run: run.id, total: { answers: 2 } })
  expect((await ask(`${at}/tasks`)).body).toEqual({ tasks: [], todos: [] })
  expect((await ask(`${at}/mail?member=ana`)).body).toMatchObject({ mail: [{ member: 'ana', state: 'acked' }] })
  const { lines } = (await ask(`${at}/transcript?member=ana`)).body as { lines: { owner: string; kind: string }[] }
  expect(new Set(lines.map(({ owner }) => owner))).toEqual(new Set(['ana']))
  const page = (await ask(`${at}/facts?from=3&limit=2`)).body as { total: number; facts: unknown[] }
  expect([page.facts.length, page.total > 20]).toEqual([2, true])
  expect((await ask(`${at}/facts?limit=0`)).status).toBe(400)
  expect((await ask(`${at}/facts?limt=2`)).status).toBe(400)
  expect((await post(`${at}/mail`, { to: 'nobody@duo', text: 'Hi.' })).status).toBe(409)
  expect((await post(`${at}/mail`, { to: 'lead@duo', text: 'Hi.', key: 'k' })).status).toBe(200)
  expect((await post(`${at}/continue`, { text: 'More.' })).status).toBe(409)
  expect((await post(`${at}/fork`, { at: 'lead-999' })).status).toBe(409)
  const described = (await ask('/api/openapi.json')).body as { openapi: string; paths: Record<string, object> }
  expect(described.openapi).toBe('3.1.0')
  expect(described.paths['/api/runs/{run}/fork']).toMatchObject({
    post: {
      parameters: [{ name: 'run', in: 'path', required: true }],
      requestBody: { content: { 'application/json': { schema: { required: ['at'], additionalProperties: false } } } },
    },
  })
  expect(described.paths['/api/runs/{run}/socket']).toMatchObject({
    get: { parameters: [{ name: 'run' }, { name: 'after', in: 'query', required: false }] },
  })
  expect(Object.keys(described.paths).length).toBe(21)
  const [question] = pendingApprovals([run.dir])
  await post(`${at}/approvals/${question?.request.id}`, { behavior: 'deny' })
  await result
})

test('two runs are compared task by task; a run that is not there is named', async () => {
  const { run, cwd, result } = await play(team, script, { mode: 'bypassPermissions', allowBypass: true })
  await result
  const home = join(cwd, 'home')
  const begun = recordOfRun(run.dir).recorded.find(({ entry }) => entry.type === 'model.settled')
  const other = basename(forkRun(run.dir, { at: begun?.entry.id ?? '', home }))
  const { ask } = await served(cwd, home)
  const path = `/api/runs/${run.id}/diff`
  expect((await ask(`${path}/${other}`)).body).toMatchObject({
    a: { run: run.id, status: 'completed' },
    b: { run: other, status: null },
    same: false,
  })
  expect((await ask(`${path}/${run.id}`)).body).toMatchObject({ same: true, files: [] })
  expect(await ask(`${path}/nobody`)).toMatchObject({ status: 404, body: { error: { code: 'no_run' } } })
  expect((await ask(`${path}/${other}`, { scope: 'none' })).status).toBe(401)
})
