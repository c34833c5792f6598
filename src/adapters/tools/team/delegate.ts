import { z } from 'zod'
import { spanSchema } from '../../../protocol/words/duration-schema.ts'
import { durationMs } from '../../../protocol/words/duration.ts'
import { contractSchema } from '../../../protocol/mail/envelope.ts'
import type { Errand, TeamReceipt } from '../../../protocol/tools/tool.ts'
import { answer, complaint, noTeam } from '../define/answer.ts'
import { defineTool } from '../define/define-tool.ts'
import { promptText } from '../prompts/prompt-text.ts'

const maxSubtasks = 64

const subtask = z.strictObject({
  worker: z
    .string()
    .min(1)
    .describe('The name of the worker; for a card with replicas (hand for hand-1, hand-2, …) a free one takes it.'),
  task: z
    .string()
    .min(1)
    .describe('What is wanted, complete in itself: goal, limits, and what the report must contain.'),
  context: z
    .string()
    .optional()
    .describe('Facts the worker needs and cannot find: it knows nothing of this conversation.'),
  name: z.string().min(1).optional().describe('A name for depends_on of other subtasks in this call.'),
  depends_on: z
    .array(z.union([z.string().min(1), z.number().int().positive()]))
    .max(64)
    .optional()
    .describe(
      'What has to be done first, and whose results the worker then gets: names, workers or places (from 1) of subtasks in this call, or earlier request ids. It starts by itself.',
    ),
  returns: contractSchema.optional().describe('JSON Schema of the result, when you need one shape: it is checked.'),
  deadline: spanSchema.optional().describe('The longest time it may take, e.g. 90s, 10m or 1h.'),
})

type Subtask = z.infer<typeof subtask>

/** Hands pieces of work to workers. */
export const delegate = defineTool({
  name: 'Delegate',
  description: promptText('delegate', { maxSubtasks }),
  input: z.strictObject({
    subtasks: z.array(subtask).min(1).max(maxSubtasks).describe('One entry per piece of work.'),
  }),
  effect: 'team',
  isDestructive: () => false,
  check: async (_input, context) => noTeam(context),
  async run({ subtasks }, context) {
    const { team } = context
    if (!team) return complaint(noTeam(context) ?? '')
    const receipts = await team.delegate(subtasks.map(errandOf), context.callId)
    const lines = receipts.map((receipt, place) => lineOf(subtasks[place]?.worker ?? '', receipt))
    const accepted = receipts.some((receipt) => 'id' in receipt)
    return accepted ? answer(lines.join('\n')) : complaint([...new Set(lines)].join('\n'))
  },
})

/** A subtask as the model wrote it, for whoever hands it out. */
export function errandOf({ worker, task, context, name, depends_on = [], returns, deadline }: Subtask): Errand {
  return {
    worker,
    task,
    depends_on,
    ...(context === undefined ? {} : { context }),
    ...(name === undefined ? {} : { name }),
    ...(returns === undefined ? {} : { returns }),
    ...(deadline === undefined ? {} : { deadlineMs: durationMs(deadline) }),
  }
}

function lineOf(worker: string, receipt: TeamReceipt): string {
  if ('error' in receipt) return `${worker}: not delegated: ${receipt.error}`
  return `${receipt.id} → ${receipt.note ?? worker}`
}
