// The public library as a peer of the side-by-side harness, as its users have it: built, when there is a build.
// Permission, journal on disk and facts are switched on; every run is an agent of its own. VARIANT=anthropic speaks
// Anthropic Messages. Plain JavaScript, so that no type has to be stripped before the first request.
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** @typedef {{ name: string, fn: (args: object) => Promise<string> }} PeerTool */
/** @typedef {{ root: string, spec: string, tools: PeerTool[], system: string }} PeerTask */
/** @typedef {{ prompt: string, onDelta?: (text: string) => void, signal?: AbortSignal }} PeerRun */

const built = new URL('../dist/src/agent.js', import.meta.url)
/** @type {unknown} */
const library = await import(existsSync(built) ? built.href : '../src/agent.ts')
const { createAgent, defineTool, z } = /** @type {typeof import('../src/agent.ts')} */ (library)

const anthropic = process.env.VARIANT === 'anthropic'
export const wire = anthropic ? 'a' : 'c'

const input = z.object({ i: z.number(), note: z.string() })
const journals = mkdtempSync(join(tmpdir(), 'troupe-bench-'))
let agents = 0

/**
 * What the harness hands over: where the model is, what it may call, and what it is told.
 *
 * @param {PeerTask} task
 */
export function define(task) {
  const options = optionsOf(task)
  return {
    /** @param {PeerRun} run */
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

/**
 * @param {PeerTask} task
 * @returns {import('../src/agent.ts').AgentOptions}
 */
function optionsOf({ root, spec, tools, system }) {
  const base = `${root}/${spec}`
  return {
    model: anthropic ? 'anthropic/mock-1' : 'openai-compatible/mock-1',
    env: anthropic
      ? { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: base }
      : { OPENAI_COMPATIBLE_API_KEY: 'k', OPENAI_COMPATIBLE_BASE_URL: `${base}/v1` },
    system,
    tools: tools.map(toolOf),
    maxTurns: 1_000_000,
    maxParallelCalls: 100,
    permissions: { allow: tools.map(({ name }) => name) },
    runDir: journals,
  }
}

/** @param {PeerTool} tool */
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
