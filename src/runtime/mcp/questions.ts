import type { McpQuestion, McpReply } from '../../protocol/mcp/listing.ts'
import { textOf, userMessage, type Message } from '../../protocol/conversation/message.ts'
import type { Model } from '../../protocol/models/model.ts'
import type { Policy } from '../../protocol/permissions/permission.ts'
import type { ToolContext } from '../../protocol/tools/tool.ts'
import { fieldsOf, readField } from '../../rules/mcp/elicited-form.ts'
import { samplingText } from '../../rules/mcp/sampling-text.ts'
import { analyse } from '../../rules/permissions/analyse.ts'
import { decide } from '../../rules/permissions/cascade.ts'
import type { AgentHooks } from '../hooks/hook-engine.ts'
import type { Consult } from '../recovery/consult.ts'

/** Answers what a server asks in the middle of a member's call. */
export type McpQuestions = (server: string, question: McpQuestion, context: ToolContext) => Promise<McpReply>

interface Answering {
  /** The member's own model. */
  readonly model: Model
  readonly consult: Consult
  readonly policy: () => Policy
  /** The hooks of the member; null where none is configured. */
  readonly hooks: () => AgentHooks | null
  readonly cwd: string
  readonly home: string
}

/**
 * The answers of one member. A form goes to a person, through the same queue as every question; a wish for a model's
 * words is judged like a call of `mcp__server__sampling`, and paid for by the member.
 */
export function mcpQuestions(answering: Answering): McpQuestions {
  return async (server, { method, params }, context) => {
    try {
      return method === 'elicitation'
        ? await elicited(server, params, { hooks: answering.hooks(), context })
        : await sampled(server, params, { answering, context })
    } catch {
      // The call is over: whoever was to answer stopped.
      return { refusal: 'the question was called off' }
    }
  }
}

interface Eliciting {
  readonly hooks: AgentHooks | null
  readonly context: ToolContext
}

/** A form: hooks may fill it in before a person is asked, and look at what goes to the server. */
async function elicited(
  server: string,
  params: McpQuestion['params'],
  { hooks, context }: Eliciting,
): Promise<McpReply> {
  const about = { mcp_server_name: server, mode: 'form' }
  const asked = { message: textIn(params['message']), requested_schema: params['requestedSchema'] }
  const before = await hooks?.fire(
    { event: 'Elicitation', value: server, fields: { ...about, ...asked } },
    context.signal,
  )
  const given = before?.blocks === true ? { action: 'decline' } : before?.own
  if (given?.action !== undefined) return { result: { content: {}, ...given } }
  const reply = await filledForm(server, params, context)
  if (hooks === null || 'refusal' in reply) return reply
  const fields = { ...about, ...reply.result }
  const after = await hooks.fire({ event: 'ElicitationResult', value: server, fields }, context.signal)
  if (after.blocks) return { result: { action: 'decline' } }
  const { action, content } = after.own ?? {}
  return { result: { ...reply.result, ...(action && { action }), ...(content && { content }) } }
}

async function filledForm(
  server: string,
  params: McpQuestion['params'],
  { ask, signal }: ToolContext,
): Promise<McpReply> {
  if (ask === undefined) return { result: { action: 'cancel' } }
  const said = `MCP server ${server} asks: ${textIn(params['message'])}`
  const fields = fieldsOf(params['requestedSchema'])
  const content: Record<string, unknown> = {}
  if (fields.length === 0) {
    const answer = await ask({ question: said, options: ['Accept', 'Decline'] }, signal)
    return { result: { action: actionOf(answer), content } }
  }
  for (const field of fields) {
    const question = `${said}\n${field.title} (${field.hint}; "Decline" sends nothing)`
    const answer = await ask({ question, options: field.options }, signal)
    if (answer === null) return { result: { action: 'cancel' } }
    if (answer === 'Decline') return { result: { action: 'decline' } }
    const read = readField(field, answer)
    if (read !== undefined) content[field.name] = read
  }
  return { result: { action: 'accept', content } }
}

function actionOf(answer: string | null): 'accept' | 'decline' | 'cancel' {
  if (answer === null) return 'cancel'
  return answer === 'Decline' ? 'decline' : 'accept'
}

/** Characters that a server may put to a member's model at once: the member pays for them. */
const longestQuestion = 100_000

interface Sampling {
  readonly answering: Answering
  readonly context: ToolContext
}

async function sampled(
  server: string,
  params: McpQuestion['params'],
  { answering, context }: Sampling,
): Promise<McpReply> {
  const { model, consult, policy, cwd, home } = answering
  const { system, turns, max_tokens } = samplingText(params)
  const tool = `mcp__${server}__sampling`
  const shown = turns.map(({ text }) => text).join('\n')
  if (shown.length + system.length > longestQuestion)
    return { refusal: `its question is longer than ${longestQuestion} characters` }
  const { behavior } = decide(analyse({ tool, input: { text: shown }, cwd, home }), policy())
  if (behavior === 'deny') return { refusal: `a rule denies ${tool}` }
  if (behavior === 'ask') {
    const question = `MCP server ${server} wants to ask the model ${model.name}:\n${shown.slice(0, 2_000)}`
    const answer = await context.ask?.({ question, options: ['Allow', 'Refuse'] }, context.signal)
    if (answer !== 'Allow') return { refusal: 'nobody allowed it' }
  }
  const messages = turns.map(({ role, text }): Message =>
    role === 'user'
      ? userMessage(text, 'runtime')
      : { role: 'assistant', model: model.name, content: [{ type: 'text', text }], stop: 'end', usage: noTokens },
  )
  const request = { agent: 'mcp-sampling', system, messages, tools: [], max_tokens }
  const { signal, callId } = context
  const message = await consult({ model, request, callId, purpose: 'sampling', signal })
  if (message.failure !== undefined) return { refusal: `the model could not be asked: ${message.failure.message}` }
  const stopReason = message.stop === 'max_tokens' ? 'maxTokens' : 'endTurn'
  return {
    result: { role: 'assistant', model: message.model, stopReason, content: { type: 'text', text: textOf(message) } },
  }
}

const noTokens = { input: 0, output: 0, cache_read: 0, cache_write: 0 } as const

function textIn(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 2_000) : ''
}
