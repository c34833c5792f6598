import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type * as Library from '../src/agent.ts'
import type { Wire, Worker } from './noop.ts'

/* The library as its users have it: built, when there is a build. Permission, journals on disk and facts are on. */

/** Agents on this server, each made for one piece of work; `folder` holds their journals. */
export async function ownAgents(wire: Wire, url: string): Promise<{ readonly work: Worker; readonly folder: string }> {
  const { createAgent, defineTool, z } = await loadLibrary()
  const noop = defineTool({
    name: 'Noop',
    description: 'does nothing',
    input: z.object({ i: z.number(), note: z.string() }),
    effect: 'none',
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    run: () => Promise.resolve({ content: [{ type: 'text', text: 'ok' }] }),
  })
  const folder = mkdtempSync(join(tmpdir(), 'troupe-bench-'))
  const options: Omit<Library.AgentOptions, 'name'> = {
    model: wire === 'anthropic' ? 'anthropic/m' : 'openai-compatible/m',
    env: { ANTHROPIC_API_KEY: 'key-of-the-bench', ANTHROPIC_BASE_URL: url, OPENAI_COMPATIBLE_BASE_URL: url },
    tools: [noop],
    permissions: { allow: ['Noop'] },
    maxTurns: 1_000_000,
    runDir: folder,
  }
  let agents = 0
  const work: Worker = async ({ system, prompt, onText, signal }) => {
    const agent = createAgent({ ...options, system, name: `agent-${agents++}` })
    const run = agent.run(prompt, signal ? { signal } : {})
    if (onText) for await (const event of run) if (event.type === 'text.delta') onText(event.text)
    const { text, reason, failure } = await run.result
    agent.close()
    if (reason !== 'completed') throw new Error(failure?.message ?? reason)
    return text
  }
  return { work, folder }
}

/** The checkout that `BENCH_CHECKOUT` names, or this one; with `BENCH_SOURCE` its sources, built or not. */
async function loadLibrary(): Promise<typeof Library> {
  const checkout = process.env['BENCH_CHECKOUT'] ?? join(import.meta.dirname, '..')
  const built = resolve(checkout, 'dist/src/agent.js')
  const file = existsSync(built) && !process.env['BENCH_SOURCE'] ? built : resolve(checkout, 'src/agent.ts')
  return (await import(file)) as typeof Library
}
