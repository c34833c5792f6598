// Troupe as a peer of the side-by-side bench: the public library with permission, journal and facts switched on.
// VARIANT=anthropic speaks Anthropic Messages, otherwise OpenAI chat completions.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { createAgent, defineTool } from '../src/index.ts'

const anthropic = process.env.VARIANT === 'anthropic'
export const wire = anthropic ? 'a' : 'c'

const input = z.object({ i: z.number(), note: z.string() })
const journals = mkdtempSync(join(tmpdir(), 'troupe-bench-'))
let agents = 0

function toolOf({ name, fn }) {
  return defineTool({
    name,
    description: 'does nothing',
    input,
    effect: 'execute',
    isConcurrencySafe: () => true,
    maxResultChars: Infinity,
    run: async (args) => ({ content: [{ type: 'text', text: await fn(args) }] }),
  })
}

/** One peer for the harness: `run` makes an agent of its own each time, with its journal on disk. */
export function define({ root, spec, tools, system, maxTurns = 1_000_000 }) {
  const own = tools.map(toolOf)
  const base = `${root}/${spec}`
  const options = {
    model: anthropic ? 'anthropic/mock-1' : 'openai-compatible/mock-1',
    env: anthropic
      ? { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: base }
      : { OPENAI_COMPATIBLE_API_KEY: 'k', OPENAI_COMPATIBLE_BASE_URL: `${base}/v1` },
    system,
    tools: own,
    maxTurns,
    maxParallelCalls: 10_000,
    permissions: { allow: tools.map(({ name }) => name) },
    runDir: journals,
  }
  return {
    async run({ prompt, onDelta, signal }) {
      const agent = createAgent({ ...options, name: `agent-${agents++}` })
      const run = agent.run(prompt, signal ? { signal } : {})
      if (onDelta) for await (const event of run) if (event.type === 'text.delta') onDelta(event.text)
      const { text, reason, failure } = await run.result
      agent.close()
      if (reason !== 'completed') throw new Error(failure?.message ?? reason)
      return { text }
    },
  }
}
