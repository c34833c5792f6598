import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { defineTool } from '../src/adapters/tools/define/define-tool.ts'
import type { Hook, HookTable } from '../src/protocol/hooks/hook.ts'
import type { Middleware } from '../src/protocol/middleware.ts'
import type { Model } from '../src/protocol/models/model.ts'
import { createAgent } from '../src/runtime/agent/create-agent.ts'
import { openHooks } from '../src/runtime/hooks/hook-engine.ts'
import { median } from './figures.ts'

/*
 * The price of hooks: one program against the same program started bare, and twenty functions around the one call of a turn
 * against none, and twenty middleware around its model and its call. `node bench/hooks.ts` prints one JSON line for each: medians of 21 interleaved pairs, and the spread of the
 * bare side against itself (A/A).
 */
const pairs = 21
const dir = mkdtempSync(join(tmpdir(), 'troupe-hooks-'))
const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin' }

const round = (value: number): number => Math.round(value * 1_000) / 1_000

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** Runs bare, with and bare again side by side, so that what the machine does meanwhile meets all of them. */
async function compared(name: string, bare: () => Promise<unknown>, hooked: () => Promise<unknown>): Promise<void> {
  for (const warm of [bare, hooked, bare, hooked]) await warm()
  const [first, with_hooks, again]: number[][] = [[], [], []]
  for (let pair = 0; pair < pairs; pair += 1) {
    first?.push(await timed(bare))
    with_hooks?.push(await timed(hooked))
    again?.push(await timed(bare))
  }
  const [a = 0, b = 0, c = 0] = [first ?? [], with_hooks ?? [], again ?? []].map(median)
  const ms = { bare: round(a), hooked: round(b), bare_again: round(c) }
  const ratio = round(
    median((with_hooks ?? []).map((value, n) => (2 * value) / ((first?.[n] ?? 1) + (again?.[n] ?? 1)))),
  )
  const aa = round(median((again ?? []).map((value, n) => value / (first?.[n] ?? 1))))
  console.log(JSON.stringify({ name, pairs, ms, ratio, aa }))
}

const input = JSON.stringify({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } })

function bareSpawn(): Promise<void> {
  return new Promise((ended) => {
    const child = spawn('/bin/bash', ['--norc', '-c', 'cat >/dev/null'], { cwd: dir, env, detached: true })
    child.stdout.resume()
    child.stderr.resume()
    child.on('close', () => ended())
    child.stdin.end(input)
  })
}

const command: Hook = {
  event: 'PreToolUse',
  matcher: 'Bash',
  spec: { type: 'command', command: 'cat >/dev/null' },
  source: 'user',
  at: 'bench',
}
const one = openHooks({
  hooks: () => [command],
  worker: false,
  cwd: dir,
  project: dir,
  env,
  credentials: new Set(),
  marks: {},
  common: () => ({ session_id: 'bench' }),
  now: () => performance.now(),
  mint: () => 'bench',
  note: () => undefined,
})
const fields = { tool_name: 'Bash', tool_input: { command: 'ls' } }
await compared('one command hook against a bare spawn', bareSpawn, () =>
  one.fire({ event: 'PreToolUse', value: 'Bash', fields }, new AbortController().signal),
)

/** A model that answers after `ms`: at first with one call. */
function model(ms: number): Model {
  let turns = 0
  const usage = { input: 0, output: 0, cache_read: 0, cache_write: 0 }
  return {
    name: 'bench/model',
    async *stream() {
      if (ms > 0) await pause(ms)
      turns += 1
      const call = { type: 'tool_use' as const, id: `c${turns}`, name: 'Look', input: {} }
      const base = { role: 'assistant' as const, model: 'bench/model', usage }
      const text = { type: 'text' as const, text: 'done' }
      const message =
        turns === 1
          ? { ...base, content: [call], stop: 'tools' as const }
          : { ...base, content: [text], stop: 'end' as const }
      yield { type: 'settled', message }
    },
  }
}

const look = defineTool({
  name: 'Look',
  description: 'Looks.',
  input: z.strictObject({}),
  effect: 'none',
  isReadOnly: () => true,
  run: async () => ({ content: [{ type: 'text', text: 'seen' }] }),
})
const twenty: HookTable = {
  PreToolUse: [{ hooks: Array.from({ length: 20 }, () => ({ type: 'function' as const, run: () => undefined })) }],
}
const through: Middleware = {
  name: 'through',
  modifyRequest: (request) => request,
  wrapModelCall: (request, next) => next(request),
  gateToolCall: () => undefined,
  wrapToolCall: (_, next) => next(),
}
const twentyMiddleware = Array.from({ length: 20 }, () => through)
const turn =
  (ms: number, hooks: HookTable, middleware: readonly Middleware[] = []) =>
  () =>
    createAgent({
      model: model(ms),
      tools: [look],
      hooks,
      middleware,
      cwd: dir,
      home: dir,
      env,
      permissions: { allow: ['Look'] },
    }).run('x').result
await compared('twenty functions, a turn of a model that needs 100 ms', turn(100, {}), turn(100, twenty))
await compared('twenty functions, a turn of a model that needs no time', turn(0, {}), turn(0, twenty))
await compared('twenty middleware, a turn of a model that needs 100 ms', turn(100, {}), turn(100, {}, twentyMiddleware))
await compared('twenty middleware, a turn of a model that needs no time', turn(0, {}), turn(0, {}, twentyMiddleware))
one.close()
rmSync(dir, { recursive: true, force: true })
