import { z } from 'zod'
import { durationMs } from '../../protocol/duration.ts'
import { durationSchema } from '../../protocol/team-card.ts'
import type { ToolContext } from '../../protocol/tool.ts'
import { answer, complaint } from './answer.ts'
import { defineTool } from './define-tool.ts'
import { noTeam } from './no-team.ts'

const subtask = z.strictObject({
  worker: z.string().min(1).describe('The name of the worker.'),
  task: z
    .string()
    .min(1)
    .describe('What is wanted, complete in itself: goal, limits, and what the report must contain.'),
  context: z
    .string()
    .optional()
    .describe('Facts the worker needs and cannot find: it knows nothing of this conversation.'),
  deadline: durationSchema.optional().describe('The longest time it may take, e.g. 90s, 10m or 1h.'),
})

type Subtask = z.infer<typeof subtask>

/** Hands pieces of work to workers. */
export const delegate = defineTool({
  name: 'Delegate',
  description: [
    'Hands pieces of work to workers and returns their request ids at once; the results come back to you by themselves later.',
    'Give all pieces that do not depend on each other in one call: they run side by side. Each worker starts fresh and',
    'knows only task and context. Do not ask for progress and do not do the delegated work yourself: end your turn and wait.',
  ].join('\n'),
  input: z.strictObject({ subtasks: z.array(subtask).min(1).max(64).describe('One entry per piece of work.') }),
  effect: 'team',
  isDestructive: () => false,
  check: async (_input, context) => noTeam(context),
  async run({ subtasks }, context) {
    const { team } = context
    if (!team) return complaint(noTeam(context) ?? '')
    const receipts = subtasks.map((entry, index) => ({ entry, receipt: team.delegate(errand(entry, index, context)) }))
    const lines = receipts.map(({ entry, receipt }) =>
      'id' in receipt ? `${receipt.id} → ${entry.worker}` : `${entry.worker}: not delegated: ${receipt.error}`,
    )
    const accepted = receipts.some(({ receipt }) => 'id' in receipt)
    return accepted ? answer(lines.join('\n')) : complaint(lines.join('\n'))
  },
})

function errand(entry: Subtask, index: number, context: ToolContext) {
  return {
    worker: entry.worker,
    task: entry.task,
    callId: context.callId,
    index,
    ...(entry.context === undefined ? {} : { context: entry.context }),
    ...(entry.deadline === undefined ? {} : { deadlineMs: durationMs(entry.deadline) }),
  }
}
