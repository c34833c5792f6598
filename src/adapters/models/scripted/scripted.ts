import { setImmediate } from 'node:timers/promises'
import { failure, type Failure } from '../../../protocol/conversation/failure.ts'
import { noUsage, textOf, type AssistantMessage, type Message } from '../../../protocol/conversation/message.ts'
import type { Model, ModelEvent, ModelRequest } from '../../../protocol/models/model.ts'
import { fillDeep, lookupsIn, UnknownLookup } from './lookups.ts'
import { stepIndexOf, readScript, type Script, type ScriptStep } from './script.ts'
import { settledWith, speak } from './speak.ts'

/** A model that can say what it was expected to do and did not. */
export interface ReportingModel extends Model {
  /** One sentence for each step that no request has reached; empty is good. */
  report(): readonly string[]
  /** An agent has made so many requests in other processes, or in an earlier life of this one. */
  credit?(agent: string, requests: number): void
}

/**
 * Owns: the answers of a script. Never: memory between requests, other than for `report()`.
 *
 * 1. The step is the number of answers that the agent has given: a resumed agent goes on where it was.
 * 2. A request that a script does not expect settles as `script_mismatch`, naming agent, step and expectation.
 * 3. What a step says may quote the results that the request carries (`lookups.ts`), nothing else.
 * 4. With `replay: lenient` a run may differ from the script: who is asked once more than foreseen says its last
 *    words again, a replica without steps takes those of another, expectations and unused steps are no matter.
 *
 * @param name the model's name in journals, `scripted/<file>`
 *
 * @example
 * const model = scriptedModel('scripted/hello', { agents: { lead: { steps: [{ say: 'Hello.' }] } } })
 */
export function scriptedModel(name: string, script: Script): ReportingModel {
  const reached = new Map<string, number>()
  return {
    name,
    deterministic: true,
    report: () => (script.replay === 'lenient' ? [] : unusedSteps(script, reached)),
    async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
      await setImmediate()
      const index = stepIndexOf(request)
      reached.set(request.agent, Math.max(reached.get(request.agent) ?? 0, index + 1))
      const answer = answerOf(script, request, index)
      if ('fault' in answer) yield settledWith(name, [], { failure: answer.fault })
      else yield* speak({ ...answer.message, model: name }, signal, answer.hang)
    },
    credit(agent, requests) {
      reached.set(agent, Math.max(reached.get(agent) ?? 0, requests))
    },
  }
}

/** Opens a script file as a model. @throws ModelUnavailable when the file is no script */
export async function openScripted(name: string, file: string): Promise<ReportingModel> {
  return scriptedModel(name, await readScript(file))
}

type Answer = { readonly message: AssistantMessage; readonly hang: boolean } | { readonly fault: Failure }

function answerOf(script: Script, request: ModelRequest, index: number): Answer {
  const mismatch = (why: string): Answer => ({
    fault: failure('script_mismatch', `script, agent "${request.agent}", step ${index + 1}: ${why}`),
  })
  const isLenient = script.replay === 'lenient'
  const steps = script.agents[request.agent]?.steps ?? (isLenient ? stepsOfReplica(script, request.agent) : undefined)
  if (!steps) return mismatch(`the script knows only ${Object.keys(script.agents).join(', ') || 'nobody'}`)
  const step = steps[index] ?? (isLenient ? lastWords(steps) : undefined)
  if (!step) return mismatch(`the script has only ${steps.length} steps for this agent`)
  const missing = isLenient ? undefined : missingText(step, request)
  if (missing !== undefined) return mismatch(`the request does not hold ${JSON.stringify(missing)}`)
  try {
    const fill = script.literal ? (text: string) => text : lookupsIn(request.messages, steps.slice(request.left_out))
    return { message: compose(step, fill, `${request.agent}-${index + 1}`), hang: step.hang ?? false }
  } catch (error) {
    if (error instanceof UnknownLookup) return mismatch(error.message)
    throw error
  }
}

/** Replicas of one card differ by the number at the end of their names. */
function stepsOfReplica({ agents }: Script, agent: string): readonly ScriptStep[] | undefined {
  const cardOf = (name: string): string => name.replace(/-\d+$/, '')
  const other = Object.keys(agents).find((name) => cardOf(name) === cardOf(agent))
  return other === undefined ? undefined : agents[other]?.steps
}

/** The latest step that asks for nothing and did not fail. */
function lastWords(steps: readonly ScriptStep[]): ScriptStep | undefined {
  return steps.findLast(({ calls = [], fail, hang }) => calls.length === 0 && fail === undefined && hang !== true)
}

function compose(step: ScriptStep, fill: (text: string) => string, id: string): AssistantMessage {
  const calls = (step.calls ?? []).map((call, index) => ({
    type: 'tool_use' as const,
    id: `${id}-${index + 1}`,
    name: call.tool,
    input: fillDeep(call.input ?? {}, fill),
    ...(call.malformed === undefined ? {} : { malformed: call.malformed }),
  }))
  return {
    role: 'assistant',
    model: '',
    content: [
      ...(step.think === undefined ? [] : [{ type: 'thinking' as const, text: fill(step.think) }]),
      ...(step.say === undefined ? [] : [{ type: 'text' as const, text: fill(step.say) }]),
      ...calls,
    ],
    stop: step.fail === undefined ? (step.stop ?? (calls.length > 0 ? 'tools' : 'end')) : 'error',
    usage: usageOf(step),
    ...(step.fail === undefined ? {} : { failure: failureOf(step.fail) }),
  }
}

function usageOf(step: ScriptStep): AssistantMessage['usage'] {
  const given = Object.entries(step.usage ?? {}).filter(([, count]) => count !== undefined)
  return { ...noUsage, ...Object.fromEntries(given) }
}

function failureOf(fail: NonNullable<ScriptStep['fail']>): Failure {
  if (typeof fail === 'string') return failure(fail, `the script says ${fail}`)
  return { ...fail, message: fail.message ?? `the script says ${fail.code}` }
}

function missingText(step: ScriptStep, request: ModelRequest): string | undefined {
  if (step.expect === undefined) return undefined
  const text = [request.system, ...request.messages.map((message) => textIn(message))].join('\n')
  return [step.expect].flat().find((expected) => !text.includes(expected))
}

function textIn(message: Message): string {
  return message.role === 'tool' ? message.results.map((result) => textOf(result)).join('\n') : textOf(message)
}

function unusedSteps(script: Script, reached: ReadonlyMap<string, number>): readonly string[] {
  return Object.entries(script.agents).flatMap(([agent, { steps }]) => {
    const first = (reached.get(agent) ?? 0) + 1
    if (first > steps.length) return []
    const which = first === steps.length ? `step ${first}` : `steps ${first} to ${steps.length}`
    return [`${which} of agent "${agent}"`]
  })
}
