import { z } from 'zod'
import { failure } from '../../protocol/conversation/failure.ts'
import { textOf } from '../../protocol/conversation/message.ts'
import type { Contract } from '../../protocol/mail/envelope.ts'
import type { StopHooksOutput } from '../../protocol/port.ts'
import { hasSpoken, lastText, type Conversation } from '../../rules/conversation/context-window.ts'
import { isRepairOf, repairText } from '../../rules/team/task-text.ts'
import type { AgentDeps } from './agent-deps.ts'

/** The shape of an answer: a JSON Schema, or a schema of zod, which counts by its JSON Schema. */
export type AnswerSchema = Contract | z.ZodType

/** `contractOf(z.object({ n: z.number() }))` → its JSON Schema. @throws TypeError saying what is wrong with a schema */
export async function contractOf(schema: AnswerSchema): Promise<Contract> {
  const contract = schema instanceof z.ZodType ? z.toJSONSchema(schema) : schema
  const { contractFlaw } = await import('../../adapters/contracts/check-contract.ts')
  const flaw = contractFlaw(contract)
  if (flaw !== null) throw new TypeError(`schema: ${flaw}`)
  return contract
}

/** The debt in whose words a repair of the answer is asked for. */
const owed = 'the prompt'

/** An agent whose answer must have a shape. */
interface Shaped {
  readonly conversation: Conversation
  readonly hasTools: boolean
  /** Null for a run whose answer may have any. */
  contract(): Contract | null
}

/**
 * Holds the answers of a lone agent to their shape: by its vendor where that knows shapes, and by a look at the answer.
 * One that is wrong is asked for once more, without tools; the second time the run has failed.
 */
export function keepShape({ conversation, hasTools, contract }: Shaped): Pick<AgentDeps, 'shape' | 'objects'> {
  const isRepairing = (): boolean => {
    const told = conversation.messages.findLast(({ role }) => role === 'user')
    return told?.role === 'user' && isRepairOf(textOf(told), owed)
  }
  return {
    shape() {
      const schema = contract()
      if (schema?.['type'] !== 'object') return {}
      return { output: { name: 'answer', schema, ...(hasTools && !isRepairing() ? { after_tools: true } : {}) } }
    },
    async objects(): Promise<StopHooksOutput> {
      const schema = contract()
      if (schema === null) return { verdict: 'none' }
      const { checkContract } = await import('../../adapters/contracts/check-contract.ts')
      const kept = checkContract(schema, hasSpoken(conversation) ? lastText(conversation) : '')
      if ('json' in kept) return { verdict: 'none' }
      if (!isRepairing()) return { verdict: 'block', messages: [repairText(owed, kept.problems)] }
      const why = `the answer does not have the shape that was asked for: ${kept.problems.join('; ')}`
      return { verdict: 'prevent', failure: failure('broken_shape', why) }
    },
  }
}

/** The JSON value in an answer that kept its shape. */
export async function valueIn(contract: Contract, text: string): Promise<{ readonly value?: unknown }> {
  const { checkContract } = await import('../../adapters/contracts/check-contract.ts')
  const kept = checkContract(contract, text)
  return 'json' in kept ? { value: JSON.parse(kept.json) as unknown } : {}
}
