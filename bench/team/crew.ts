import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { stringify } from 'yaml'
import type * as Library from '../../src/index.ts'
import type { Wire } from '../noop.ts'
import { measure, perCard, prompt } from './plan.ts'

/* The work as a team does it: permission, mail, journals on disk, facts and gathering switched on, all in this process. */
const built = resolve('dist/src/index.js')
const library = (await import(
  existsSync(built) && !process.env['BENCH_SOURCE'] ? built : '../../src/index.ts'
)) as typeof Library
const { loadTeam, runTeam } = library

const [wire, url] = process.argv.slice(2) as [Wire, string]
const models: Readonly<Record<Wire, string>> = { anthropic: 'anthropic/m', chat: 'openai-compatible/m' }
const env = {
  PATH: process.env['PATH'],
  ANTHROPIC_API_KEY: 'key-of-the-bench',
  ANTHROPIC_BASE_URL: url,
  OPENAI_COMPATIBLE_BASE_URL: url,
}
const noop = `export const tool = ({ defineTool, z }) => defineTool({
  name: 'Noop', description: 'does nothing', input: z.object({ i: z.number(), note: z.string() }), effect: 'none',
  isReadOnly: () => true, isConcurrencySafe: () => true, run: async () => ({ content: [{ type: 'text', text: 'ok' }] }),
})`

/** A team of so many workers in a directory of its own. */
function layOut(workers: number): string {
  const cwd = mkdtempSync(join(tmpdir(), 'troupe-bench-team-'))
  const cards = Array.from({ length: Math.ceil(workers / perCard) }, (_, n): readonly [string, object] => [
    `hand-${n + 1}`,
    { description: 'Works.', prompt, tools: ['Noop'], replicas: Math.min(perCard, workers - n * perCard) },
  ])
  const team = { name: 'crew', model: models[wire], coordinator: { prompt: 'You lead.' } }
  mkdirSync(join(cwd, 'tools'))
  writeFileSync(join(cwd, 'tools', 'Noop.js'), noop)
  writeFileSync(join(cwd, 'team.yaml'), stringify({ ...team, workers: Object.fromEntries(cards) }))
  return cwd
}

const places: string[] = []
await measure(async (workers) => {
  const cwd = layOut(workers)
  places.push(cwd)
  const options = { cwd, home: join(cwd, 'home'), env, trusted: true, rules: { allow: ['Noop'] } }
  const run = runTeam(await loadTeam(join(cwd, 'team.yaml'), { env }), { task: `Begin with ${workers}.`, ...options })
  const { status, reason, members } = await run.result
  const done = members.filter(({ reason: how }) => how === 'completed').length
  if (status !== 'completed' || done !== workers + 1) throw new Error(`${done} did their work, ${status}: ${reason}`)
})
for (const cwd of places) rmSync(cwd, { recursive: true, force: true })
