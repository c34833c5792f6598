import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { createAgent, defineTool, type AgentOptions, type Tool } from '../src/index.ts'

/** What the harness hands to a peer: where the model is, what it may call, and what it is told. */
export interface PeerTask {
  readonly root: string
  readonly spec: string
  readonly tools: readonly { readonly name: string; readonly fn: (args: object) => Promise<string> }[]
  readonly system: string
}

export interface PeerRun {
  readonly prompt: string
  readonly onDelta?: (text: string) => void
  readonly signal?: AbortSignal
}

const input = z.object({ i: z.number(), note: z.string() })
const journals = mkdtempSync(join(tmpdir(), 'troupe-bench-'))
let agents = 0

/**
 * The public library as a peer of the side-by-side bench: permission, journal on disk and facts are switched on, and
 * every run is an agent of its own.
 */
export function definePeer(task: PeerTask, anthropic: boolean) {
  const options = optionsOf(task, anthropic)
  return {
    async run({ prompt, onDelta, signal }: PeerRun): Promise<{ readonly text: string }> {
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

function optionsOf({ root, spec, tools, system }: PeerTask, anthropic: boolean): AgentOptions {
  const base = `${root}/${spec}`
  return {
    model: anthropic ? 'anthropic/mock-1' : 'openai-compatible/mock-1',
    env: anthropic
      ? { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: base }
      : { OPENAI_COMPATIBLE_API_KEY: 'k', OPENAI_COMPATIBLE_BASE_URL: `${base}/v1` },
    system,
    tools: tools.map(toolOf),
    maxTurns: 1_000_000,
    maxParallelCalls: 10_000,
    permissions: { allow: tools.map(({ name }) => name) },
    runDir: journals,
  }
}

function toolOf({ name, fn }: PeerTask['tools'][number]): Tool {
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
