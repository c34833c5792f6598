import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import type { RunResult } from '../../src/protocol/team/run.ts'
import { bareEnv } from '../support/bare-env.ts'
import { scriptServer, stepSchema } from './script-server.ts'

/** Work that a team can do only together, from the command line to the files it leaves. */
const taskSchema = z.strictObject({
  prompt: z.string(),
  /** What lies in the working directory before and after, by path. */
  files: z.record(z.string(), z.string()),
  leaves: z.record(z.string(), z.string()),
  /** A command that succeeds there afterwards. */
  passes: z.tuple([z.string()], z.string()).optional(),
  script: z.record(z.string(), z.array(stepSchema)),
})

const tasks = ['hidden-sum', 'map-reduce', 'review-loop', 'test-gated-fix', 'debate-vote']

const wires = {
  'Anthropic Messages': (root: string) => ({
    model: 'anthropic/scripted',
    env: { ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: root },
  }),
  'OpenAI chat completions': (root: string) => ({
    model: 'openai-compatible/scripted',
    env: { OPENAI_COMPATIBLE_BASE_URL: `${root}/v1` },
  }),
  'OpenAI Responses': (root: string) => ({
    model: 'openai/scripted',
    env: { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `${root}/v1` },
  }),
}

function workspace(files: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(join(tmpdir(), 'troupe-task-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(dir, dirname(path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
  return dir
}

async function run(
  task: string,
  { dir, prompt, model, env }: { dir: string; prompt: string; model: string; env: object },
) {
  const team = resolve('test/accept/teams', `${task}.yaml`)
  const args = [resolve('src/ui/cli/bin.ts'), 'run', team, prompt, '--json', '--trust', '--cwd', dir]
  const troupe = spawn(process.execPath, [...args, '--model', model], {
    cwd: dir,
    env: { ...bareEnv, HOME: dir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const out: Buffer[] = []
  const err: Buffer[] = []
  troupe.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  troupe.stderr.on('data', (chunk: Buffer) => err.push(chunk))
  const [code] = (await once(troupe, 'close')) as [number]
  if (code !== 0) throw new Error(Buffer.concat(err).toString())
  return JSON.parse(Buffer.concat(out).toString()) as RunResult
}

describe.each(tasks)('%s', (task) => {
  const sample = resolve('test/accept/samples/teams', `${task}.yaml`)
  const { prompt, files, leaves, passes, script } = taskSchema.parse(parse(readFileSync(sample, 'utf8')))

  test.each(Object.entries(wires))('is done over %s', async (_, wire) => {
    const dir = workspace(files)
    const server = await scriptServer(script)
    onTestFinished(() => server.close())
    const result = await run(task, { dir, prompt, ...wire(server.root) })
    expect(result.status).toBe('completed')
    for (const [path, text] of Object.entries(leaves)) expect(readFileSync(join(dir, path), 'utf8')).toBe(text)
    // A step is taken only by who has heard what it waits for.
    expect(server.unfinished()).toEqual([])
    const [command = 'true', ...args] = passes ?? []
    expect(spawnSync(command, args, { cwd: dir, env: bareEnv }).status).toBe(0)
  })
})
