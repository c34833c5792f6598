import type { HookRan, HookRun } from '../../adapters/hooks/command-hook.ts'
import { resolveReal } from '../../adapters/fs/resolve-real.ts'
import { complaint } from '../../adapters/tools/define/answer.ts'
import { runCall } from '../../adapters/tools/define/run-call.ts'
import { textOf, userMessage } from '../../protocol/conversation/message.ts'
import type { AgentEvent } from '../../protocol/facts/run-event.ts'
import type { HookInput, McpToolHook, PromptHook } from '../../protocol/hooks/hook.ts'
import type { Model } from '../../protocol/models/model.ts'
import type { Policy, RuleLists } from '../../protocol/permissions/permission.ts'
import type { Tool, ToolContext } from '../../protocol/tools/tool.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import { filledInput, hookPrompt, hookVerdict, verdictShape } from '../../rules/hooks/hook-prompt.ts'
import { analyse } from '../../rules/permissions/analyse.ts'
import { followPaths } from '../../rules/permissions/followed-paths.ts'
import { decide } from '../../rules/permissions/cascade.ts'
import { calledHere } from '../../rules/plugins/plugin-servers.ts'
import { bridgedNames } from '../../rules/mcp/tool-names.ts'
import type { Consult } from '../recovery/consult.ts'
import { preparedRules } from '../settings/policy.ts'
import type { HookRunners } from './hook-place.ts'

/*
 * Runs the hooks that ask a model, and those that call a tool of an MCP server, for one agent.
 * Owns: that they spend the agent's own budget, and that an agent hook reads files and does nothing else.
 * 1. A question of a hook is no prompt of a person: no hook is fired by it. 2. An agent hook has no sub-agents, at most 50
 *    turns, and the agent's own deny rules; what would be asked of a person is denied.
 */

/** Makes the agent of an `agent` hook: `createAgent`, which lives above this room. */
export type RunAgent = (options: {
  readonly name: string
  readonly model: Model
  readonly system: string
  readonly tools: readonly Tool[]
  readonly permissions: RuleLists & { readonly mode: 'dontAsk' }
  readonly cwd: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly maxTurns: number
}) => {
  run(
    prompt: string,
    options: { readonly schema: Readonly<Record<string, unknown>>; readonly signal: AbortSignal },
  ): AsyncIterable<AgentEvent> & {
    readonly result: Promise<{ readonly reason: string; readonly value?: unknown; readonly text: string }>
  }
}

/** The parts of an agent that its hooks use. */
interface Asker {
  readonly cwd: string
  readonly home: string
  readonly consult: Consult
  modelOf(name: string): Model | undefined
  policy(): Policy
  toolContext(callId: string, signal: AbortSignal): ToolContext
}

interface Asking {
  /** The agent, once there is one. */
  readonly deps: () => Asker
  /** The tools that the agent has from elsewhere, once they are known. */
  readonly foreign: (signal: AbortSignal) => Promise<readonly Tool[]>
  readonly env: Readonly<Record<string, string | undefined>>
  /** The name of the agent's own model. */
  readonly model: string
  readonly runAgent: RunAgent
  /** Hears the events of the agents of hooks (default: nobody). */
  readonly child?: (event: AgentEvent) => void
}

const mostTurns = 50
const mostTokens = 1_000

/** `hookRunners({ deps, foreign, env, model, runAgent })`: runs hooks that need an agent. */
export function hookRunners(asking: Asking): HookRunners {
  return {
    ask: (hook, run, input) => timed(run, (signal) => ask(asking, hook, { input, signal })),
    call: (hook, run, input) => timed(run, (signal) => call(asking, hook, { input, signal })),
  }
}

/** Gives the work its time. What does not stop by itself is waited for no longer. */
async function timed(run: HookRun, work: (signal: AbortSignal) => Promise<HookRan>): Promise<HookRan> {
  const late = AbortSignal.timeout(run.timeoutMs)
  const signal = AbortSignal.any([run.signal, late])
  const stopped = new Promise<HookRan>((resolve) => {
    const end = (): void => {
      const why = run.signal.aborted ? 'nobody waits for it any more' : `it took longer than ${run.timeoutMs / 1_000} s`
      resolve({ failed: why, cancelled: true })
    }
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
  })
  const doing = work(signal).catch((error: unknown): HookRan => ({ failed: errorText(error), cancelled: false }))
  return Promise.race([doing, stopped])
}

interface Asked {
  readonly input: HookInput
  readonly signal: AbortSignal
}

function ask(asking: Asking, hook: PromptHook, asked: Asked): Promise<HookRan> {
  return hook.type === 'prompt' ? askOnce(asking, hook, asked) : askAgent(asking, hook, asked)
}

/** The model that a hook names, where the agent has it; else the agent's own. */
function modelFor({ deps, model }: Asking, hook: PromptHook): Model {
  const { modelOf } = deps()
  const found = (hook.model === undefined ? undefined : modelOf(hook.model)) ?? modelOf(model)
  if (found === undefined) throw new Error('the agent has no model that could be asked')
  return found
}

async function askOnce(asking: Asking, hook: PromptHook, { input, signal }: Asked): Promise<HookRan> {
  const request = {
    agent: 'hook',
    system: hookPrompt,
    messages: [userMessage(filledInput(hook.prompt, input), 'runtime')],
    tools: [],
    max_tokens: mostTokens,
    output: { name: 'verdict', schema: verdictShape },
  }
  const message = await asking.deps().consult({ model: modelFor(asking, hook), request, purpose: 'hook', signal })
  if (message.failure !== undefined) return { failed: message.failure.message, cancelled: signal.aborted }
  return hookVerdict(hook, input.hook_event_name, textOf(message))
}

async function askAgent(asking: Asking, hook: PromptHook, { input, signal }: Asked): Promise<HookRan> {
  const deps = asking.deps()
  const { glob } = await import('../../adapters/tools/search/glob.ts')
  const { grep } = await import('../../adapters/tools/search/grep.ts')
  const { read } = await import('../../adapters/tools/files/read.ts')
  const agent = asking.runAgent({
    name: 'hook',
    model: consulted(modelFor(asking, hook), deps),
    system: hookPrompt,
    tools: [read, grep, glob].map(permittedBy(deps)),
    permissions: { ...closedTo(deps), mode: 'dontAsk' },
    cwd: deps.cwd,
    home: deps.home,
    env: asking.env,
    maxTurns: mostTurns,
  })
  const run = agent.run(filledInput(hook.prompt, input), { schema: verdictShape, signal })
  if (asking.child) for await (const event of run) asking.child(event)
  const { reason, value, text } = await run.result
  if (value === undefined) return { failed: `the agent ended without a verdict (${reason})`, cancelled: signal.aborted }
  return hookVerdict(hook, input.hook_event_name, text)
}

/** The same model, asked on the budget of the agent that the hook works for. */
function consulted(model: Model, { consult }: Asker): Model {
  return {
    name: model.name,
    async *stream(request, signal) {
      yield { type: 'settled', message: await consult({ model, request, purpose: 'hook', signal }) }
    },
  }
}

/** A tool that does nothing but what the agent's own rules allow without a question. */
function permittedBy({ cwd, home, policy }: Asker): (tool: Tool) => Tool {
  return (tool) => ({
    ...tool,
    async run(input, context) {
      const action = followPaths(analyse({ tool: tool.name, input, cwd, home }), resolveReal)
      const { behavior, reason } = decide(action, policy(), preparedRules(policy()))
      return behavior === 'allow' ? tool.run(input, context) : complaint(`Not permitted: ${reason}`)
    },
  })
}

/** The rules of the agent that deny or ask, as rules that deny. */
function closedTo({ policy }: Asker): RuleLists {
  const lists = Object.values(policy().rules)
  return { deny: lists.flatMap(({ deny = [], ask: asked = [] }) => [...deny, ...asked]) }
}

async function call(asking: Asking, hook: McpToolHook, { input, signal }: Asked): Promise<HookRan> {
  const [name = ''] = bridgedNames(calledHere(hook.server), [hook.tool])
  const tool = (await asking.foreign(signal)).find((each) => each.name === name)
  if (tool === undefined) return { failed: `the agent has no tool ${name}`, cancelled: false }
  const filled = JSON.parse(filledInput(JSON.stringify(hook.input ?? {}), input, true)) as unknown
  const output = await runCall(tool, filled, asking.deps().toolContext('', signal))
  const text = output.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
  if (output.isError === true) return { failed: text.slice(0, 500), cancelled: signal.aborted }
  return { ending: { code: 0, stdout: text, stderr: '' } }
}
