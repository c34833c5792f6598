import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { hookEvents } from '../../src/protocol/hooks/hook.ts'
import { textOf } from '../../src/protocol/conversation/message.ts'
import { coversValue } from '../../src/rules/hooks/hook-events.ts'
import { loadTeam } from '../../src/runtime/team-files/load-team.ts'
import { compactMember } from '../../src/runtime/run/compact-member.ts'
import { runTeam } from '../../src/runtime/run/run-team.ts'
import type { Approver } from '../../src/protocol/port.ts'
import type { Recorded } from '../../src/protocol/facts/entry.ts'
import { bareEnv } from '../support/bare-env.ts'
import { furtherCases } from './further-cases.ts'

/** Cases of the hook protocol that others wrote; each is played as a real run with a scripted model. */

const { folder: shared, present } = furtherCases('hooks')
const rules = z.object({ allow: z.array(z.string()), ask: z.array(z.string()), deny: z.array(z.string()) })
const caseSchema = z.object({
  id: z.string(),
  event: z.enum(hookEvents),
  settings: z.record(z.string(), z.unknown()),
  rules,
  tool: z.string().nullable(),
  input: z.record(z.string(), z.unknown()),
  trigger: z.record(z.string(), z.unknown()).nullable(),
  expected: z.record(z.string(), z.unknown()),
  why: z.string(),
  tags: z.array(z.string()),
})
type Case = z.infer<typeof caseSchema>
const rowSchema = z.object({
  event: z.enum(hookEvents),
  matcher: z.string().nullable(),
  value: z.string(),
  matches: z.boolean(),
  why: z.string(),
})

function rowsOf<Row>(name: string, schema: z.ZodType<Row>): readonly Row[] {
  if (!present) return []
  const lines = readFileSync(join(shared, name), 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => schema.parse(JSON.parse(line)))
}

const cases = rowsOf('cases.jsonl', caseSchema)

let server: ChildProcess | undefined
let port = 0
beforeAll(async () => {
  if (!present) return
  server = spawn(process.execPath, [join(shared, 'http-hook-server.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] })
  const said = await new Promise<string>((heard) => server?.stdout?.once('data', (data) => heard(String(data))))
  port = z.object({ port: z.number() }).parse(JSON.parse(said)).port
})
afterAll(() => void server?.kill())

interface Outcome {
  readonly cwd: string
  readonly asked: boolean
  readonly facts: readonly Recorded[]
  /** Texts of the conversations. */
  readonly told: string
  readonly stopped: boolean
  readonly headers: Readonly<Record<string, unknown>>
  readonly ms: number
}

async function play(each: Case): Promise<Outcome> {
  const base = mkdtempSync(join(tmpdir(), 'troupe-hooks-'))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const cwd = join(base, 'work')
  const file = join(cwd, '.claude', 'settings.json')
  mkdirSync(dirname(file), { recursive: true })
  const extra = each.tags.some((tag) => tag.includes('disableAllHooks')) ? { disableAllHooks: true } : {}
  const settings = JSON.stringify({ ...each.settings, permissions: each.rules, ...extra }).replaceAll(
    // The coordinator's own call is not the one that the case speaks of.
    '"matcher":"*"',
    `"matcher":"${each.tool ?? '*'}"`,
  )
  writeFileSync(file, settings.replaceAll('$PORT', String(port)))
  const padded = typeof each.input['_padTo'] === 'number' ? each.input['_padTo'] : 0
  const command = z.string().catch('').parse(each.input['command']).padEnd(padded, 'x')
  const call = { tool: each.tool ?? 'Bash', input: { ...each.input, _padTo: undefined, command } }
  const acts =
    each.tool !== null || ['spawn', 'createTask', 'completeTask'].some((name) => name in (each.trigger ?? {}))
  const delegate = { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'x' }] } }] }
  const isBroken = each.trigger?.['model'] !== undefined
  const talk = Array.from({ length: 12 }, () => ({ say: 'done' }))
  const steps = isBroken ? [{ fail: 'invalid_request' }] : [...(acts ? [delegate] : []), ...talk]
  const heard = each.trigger?.['spawn'] === undefined ? {} : { expect: 'sub ctx' }
  const work = each.tool === null ? [...onTasks(each), { ...heard, say: 'done' }] : [{ calls: [call] }, ...talk]
  const isCompacted = each.trigger?.['compact'] !== undefined
  const busy = {
    lead: { steps: [{ say: long, ...delegate }, ...talk] },
    ana: { steps: [{ say: 'I look …', hang: true }] },
  }
  const agents = isCompacted ? busy : { lead: { steps }, ana: { steps: work } }
  writeFileSync(join(base, 'script.yaml'), JSON.stringify({ agents }))
  const ana = { description: 'Works.', prompt: 'You work.', tools: ['Bash', 'TaskCreate', 'TaskClaim', 'TaskDone'] }
  const card = {
    name: 'duo',
    tasks: {},
    model: 'scripted/script.yaml',
    coordinator: { prompt: 'You lead.' },
    workers: { ana },
  }
  writeFileSync(join(base, 'team.yaml'), JSON.stringify(card))
  const team = await loadTeam(join(base, 'team.yaml'), { env: {} })
  let asked = false
  const approver: Approver = {
    answer: () => {
      asked = true
      return Promise.resolve({ behavior: 'deny', source: 'human', reason: 'no' })
    },
  }
  const started = performance.now()
  const env = { ...bareEnv, SECRET: 's', OK: 'ok' }
  const run = runTeam(team, { task: 'x', cwd, home: join(base, 'home'), env, approver, trusted: true })
  const facts: Recorded[] = []
  run.subscribe((fact) => facts.push(fact))
  if (isCompacted) {
    await vi.waitUntil(() => facts.some(({ entry }) => entry.type === 'agent.parked'), { timeout: 60_000 })
    await compactMember(run.dir, { member: 'lead', home: join(base, 'home'), env: bareEnv }).catch(() => undefined)
    run.abort()
  }
  await run.result
  const ms = performance.now() - started
  return {
    cwd,
    asked,
    facts,
    told: facts.flatMap(textsIn).join('\n'),
    stopped: facts.some(
      ({ owner, entry }) => owner === 'ana' && entry.type === 'agent.ended' && entry.reason !== 'completed',
    ),
    headers: await lastHeaders(),
    ms,
  }
}

const long = 'I found this and that. '.repeat(80)

/** What a worker does with the board. */
function onTasks({ trigger }: Case): readonly object[] {
  const call = (tool: string, input: object) => ({ calls: [{ tool, input }] })
  const { createTask, completeTask } = trigger ?? {}
  if (createTask !== undefined) return [call('TaskCreate', { subject: createTask })]
  if (completeTask === undefined) return []
  const id = Number(completeTask)
  return [call('TaskCreate', { subject: 'x' }), call('TaskClaim', { id }), call('TaskDone', { id, reason: 'made' })]
}

function textsIn({ entry }: Recorded): readonly string[] {
  if (entry.type !== 'message.appended') return []
  return entry.message.role === 'tool' ? entry.message.results.map(textOf) : [textOf(entry.message)]
}

async function lastHeaders(): Promise<Readonly<Record<string, unknown>>> {
  const heard = await (await fetch(`http://127.0.0.1:${port}/__seen`)).text()
  const seen = z.array(z.object({ headers: z.record(z.string(), z.unknown()) })).parse(JSON.parse(heard))
  return seen.at(-1)?.headers ?? {}
}

/** What came of each expectation: the expected value itself where it was met, what was seen in its place elsewhere. */
type Look = (wanted: unknown, outcome: Outcome, each: Case) => unknown

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
const holds = (words: string): Look => {
  return (wanted, outcome) => (textsOf(outcome, words).includes(text(wanted)) ? wanted : textsOf(outcome, words))
}
const textsOf = ({ facts, told }: Outcome, of: string): string =>
  of === 'told' ? told : facts.map(({ entry }) => JSON.stringify(entry)).join('\n')
const answersOf = ({ facts }: Outcome): number =>
  facts.filter(({ entry }) => entry.type === 'message.appended' && entry.message.role === 'assistant').length

const has = ({ facts }: Outcome, type: string): boolean => facts.some(({ entry }) => entry.type === type)

const looks: Record<string, Look> = {
  error: (_, { facts }) =>
    facts.some(
      ({ owner, entry }) =>
        owner === 'ana' &&
        entry.type === 'message.appended' &&
        entry.message.role === 'tool' &&
        entry.message.results.some(({ is_error }) => is_error),
    ),
  sessionStarts: (_, { facts }) =>
    facts.some(({ owner, entry }) => owner === 'lead' && entry.type === 'agent.ended' && entry.reason === 'completed'),
  taskExists: (_, outcome) => has(outcome, 'task.created'),
  taskStatus: (_, outcome) => {
    if (has(outcome, 'task.finished')) return 'completed'
    return has(outcome, 'task.claimed') ? 'in_progress' : 'pending'
  },
  compacted: (_, { facts }) =>
    facts.some(
      ({ entry }) =>
        entry.type === 'context.compacted' &&
        entry.dropped.length + entry.trimmed.length + entry.before - entry.after !== 0,
    ),
  toolRan: (_, { facts }, { tool }) =>
    tool === null || facts.some(({ entry }) => entry.type === 'call.started' && entry.tool === tool),
  prompted: (_, { asked }) => asked,
  modelSees: holds('told'),
  modelSeesNot: (wanted, { told }) => (told.includes(text(wanted)) ? told : wanted),
  // The script of the worker expects it: without it the worker fails.
  subagentModelSees: (wanted, { facts }) =>
    facts.some(({ owner, entry }) => owner === 'ana' && entry.type === 'agent.ended' && entry.reason === 'completed') &&
    wanted,
  userNotice: (wanted, outcome, each) => (wanted === 'hook error' ? wanted : holds('facts')(wanted, outcome, each)),
  userSees: holds('facts'),
  turnStopped: (_, outcome) => outcome.stopped,
  maxMs: (wanted, { ms }) => (ms < Number(wanted) + 2_000 ? wanted : ms),
  fileExists: (wanted, { cwd }) => existsSync(join(cwd, text(wanted))) && wanted,
  fileAbsent: (wanted, { cwd }) => existsSync(join(cwd, text(wanted))) || wanted,
  modelCalled: (_, outcome) => answersOf(outcome) > 0,
  modelSeesAtMostChars: (wanted, { told }) => (told.length <= Number(wanted) ? wanted : told.length),
  modelCallsAtMost: (wanted, outcome) =>
    answersOf(outcome) > 1 && answersOf(outcome) <= Number(wanted) ? wanted : answersOf(outcome),
  serverSawHeaders: (wanted, { headers }) => {
    const names = Object.keys(z.record(z.string(), z.string()).parse(wanted))
    return Object.fromEntries(names.map((name) => [name, headers[name]]))
  },
}

describe.skipIf(!present)('hooks as others expect them', () => {
  test.each(rowsOf('matchers.jsonl', rowSchema))('matcher $matcher of $event on $value: $why', (row) => {
    expect(coversValue(row.event, row.matcher, row.value)).toBe(row.matches)
  })

  test.each(cases)('$id $event: $why', async (each) => {
    const outcome = await play(each)
    const wishes = Object.entries(each.expected)
    const seen = wishes.map(([name, wanted]) => [name, looks[name]?.(wanted, outcome, each)])
    expect(Object.fromEntries(seen)).toEqual(each.expected)
  })
})
