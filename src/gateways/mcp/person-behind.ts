import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { Answer } from '../../protocol/permissions/permission.ts'
import type { Approver } from '../../protocol/port.ts'
import { askedLines, chosenAnswer } from '../../protocol/tools/own-question.ts'

const refused: Answer = { behavior: 'deny', source: 'nobody', reason: 'the person behind the client did not answer' }

/** Characters of a call's arguments that a person is shown. */
const longestInput = 2_000

/** The person behind a client, who answers what rules leave open; null for a client that has no way to ask one. */
export function personBehind(server: McpServer): Approver | null {
  if (!server.server.getClientCapabilities()?.elicitation) return null
  return {
    async answer({ member, call, decision }, signal) {
      const input = JSON.stringify(call.input).slice(0, longestInput)
      const message = `${member} wants to call ${call.tool} with ${input}\n${decision.reason}`
      const given = await asked(server, { message, properties: { answer: choice, advice: words } }, signal)
      if (given === null) return refused
      const by = 'the person behind an MCP client'
      if (given['answer'] === 'allow')
        return { behavior: 'allow', source: 'human', reason: 'allowed once', scope: 'once', by }
      const reason = typeof given['advice'] === 'string' && given['advice'] !== '' ? given['advice'] : 'denied'
      return { behavior: 'deny', source: 'human', reason, scope: 'once', by }
    },
    async ask({ member, ...question }, signal) {
      const message = `${member} asks: ${askedLines(question).join('\n')}`
      const given = await asked(server, { message, properties: { advice: words } }, signal)
      return typeof given?.['advice'] === 'string' ? chosenAnswer(given['advice'].trim(), question) : null
    },
  }
}

const choice = { type: 'string', title: 'Answer', enum: ['allow', 'deny'] } as const
const words = { type: 'string', title: 'In your words' } as const

interface Form {
  readonly message: string
  readonly properties: Readonly<Record<string, typeof choice | typeof words>>
}

async function asked(
  server: McpServer,
  { message, properties }: Form,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>> | null> {
  const [required = ''] = Object.keys(properties)
  const schema = { type: 'object' as const, properties: { ...properties } as never, required: [required] }
  const day = 24 * 3_600_000
  try {
    const { action, content } = await server.server.elicitInput(
      { message, requestedSchema: schema },
      { signal, timeout: day },
    )
    return action === 'accept' ? (content ?? {}) : null
  } catch {
    // The client left, or could not show the form.
    return null
  }
}
