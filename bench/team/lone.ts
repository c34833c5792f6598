import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type * as Library from '../../src/agent.ts'
import { measure, prompt, task, type Wire } from './plan.ts'

/* The same work as so many agents of their own: permission, journals on disk and facts, without a team around them. */
const built = resolve('dist/src/agent.js')
const library = (await import(
  existsSync(built) && !process.env['BENCH_SOURCE'] ? built : '../../src/agent.ts'
)) as typeof Library
const { createAgent, defineTool, z } = library

const [wire, url] = process.argv.slice(2) as [Wire, string]
const noop = defineTool({
  name: 'Noop',
  description: 'does nothing',
  input: z.object({ i: z.number(), note: z.string() }),
  effect: 'none',
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  run: () => Promise.resolve({ content: [{ type: 'text', text: 'ok' }] }),
})
const runDir = mkdtempSync(join(tmpdir(), 'troupe-bench-team-'))
const options: Omit<Library.AgentOptions, 'name'> = {
  model: wire === 'anthropic' ? 'anthropic/m' : 'openai-compatible/m',
  env: { ANTHROPIC_API_KEY: 'key-of-the-bench', ANTHROPIC_BASE_URL: url, OPENAI_COMPATIBLE_BASE_URL: url },
  system: prompt,
  tools: [noop],
  permissions: { allow: ['Noop'] },
  runDir,
}

let agents = 0
async function work(n: number): Promise<void> {
  const agent = createAgent({ ...options, name: `agent-${agents++}` })
  const { reason, failure } = await agent.run(task(n)).result
  agent.close()
  if (reason !== 'completed') throw new Error(failure?.message ?? reason)
}

await measure(async (workers) => void (await Promise.all(Array.from({ length: workers }, (_, n) => work(n)))))
rmSync(runDir, { recursive: true, force: true })
