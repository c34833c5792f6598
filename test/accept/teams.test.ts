import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { RunResult } from '../../src/protocol/team/run.ts'
import { bareEnv } from '../support/bare-env.ts'

const material = resolve('../shared/accept/teams')
const isHere = existsSync(material)
const tasks = isHere ? readdirSync(join(material, 'tasks')) : ['(the team tasks are not beside this checkout)']
if (!isHere) console.warn(`skipped: ${material} is not there`)

/** How the scripts' own words for tools are spelled here. */
const spelling = {
  send: { name: 'SendMessage' },
  read: { name: 'Read', args: { path: 'file_path' } },
  write: { name: 'Write', args: { path: 'file_path' } },
  bash: { name: 'Bash' },
}

const wires = {
  'Anthropic Messages': (url: string) => ({
    model: 'anthropic/scripted',
    env: { ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: url },
  }),
  'OpenAI chat completions': (url: string) => ({
    model: 'openai-compatible/scripted',
    env: { OPENAI_COMPATIBLE_BASE_URL: `${url}/v1` },
  }),
}

function workspace(task: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'troupe-task-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const given = join(material, 'tasks', task, 'workspace')
  if (existsSync(given)) cpSync(given, dir, { recursive: true })
  return dir
}

/** The scripted model server of a task; resolves to its address. */
async function serve(task: string, dir: string): Promise<string> {
  const map = join(dir, '..', `${task}-${process.pid}.map.json`)
  writeFileSync(map, JSON.stringify(spelling))
  const script = join(material, 'tasks', task, 'script.json')
  const server = spawn(process.execPath, [join(material, 'scripted-model.mjs'), '--script', script, '--map', map])
  onTestFinished(() => {
    server.kill()
    rmSync(map, { force: true })
  })
  const [line] = (await once(server.stdout, 'data')) as [Buffer]
  const { port } = JSON.parse(line.toString()) as { port: number }
  return `http://127.0.0.1:${port}`
}

async function run(task: string, dir: string, how: { model: string; env: object }): Promise<RunResult> {
  const { firstPrompt } = JSON.parse(readFileSync(join(material, 'tasks', task, 'task.json'), 'utf8')) as {
    firstPrompt: { text: string }
  }
  const team = resolve('test/accept/teams', `${task.replace(/^\d+-/, '')}.yaml`)
  const args = [resolve('src/ui/cli/bin.ts'), 'run', team, firstPrompt.text, '--json', '--trust', '--cwd', dir]
  const troupe = spawn(process.execPath, [...args, '--model', how.model], {
    cwd: dir,
    env: { ...bareEnv, HOME: dir, ...how.env },
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

describe.skipIf(!isHere).each(tasks)('%s', (task) => {
  test.each(Object.entries(wires))('passes over %s', async (_, wire) => {
    const dir = workspace(task)
    const url = await serve(task, dir)
    const result = await run(task, dir, wire(url))
    expect(result.status).toBe('completed')
    const check = spawnSync(process.execPath, [join(material, 'tasks', task, 'check.mjs'), dir, url], {
      encoding: 'utf8',
    })
    expect(check.stderr).toBe('')
    expect(check.stdout.trim()).toBe('PASS')
  })
})
