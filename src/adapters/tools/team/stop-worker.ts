import { z } from 'zod'
import { answer, complaint, noTeam } from '../define/answer.ts'
import { defineTool } from '../define/define-tool.ts'
import { promptText } from '../prompts/prompt-text.ts'

/** Ends what a worker is doing, or all that is still asked for. */
export const stopWorker = defineTool({
  name: 'StopWorker',
  description: promptText('stop-worker'),
  input: z.strictObject({
    worker: z.string().min(1).describe('The name of the worker, or `all` for everything that is still open.'),
    reason: z.string().min(1).optional().describe('Why, in one sentence; the worker and the people who watch see it.'),
  }),
  effect: 'team',
  check: async (_input, context) => noTeam(context),
  async run({ worker, reason }, context) {
    if (!context.team) return complaint(noTeam(context) ?? '')
    const receipt = context.team.stop(worker, reason ?? 'no longer needed')
    if ('error' in receipt) return complaint(`Not stopped: ${receipt.error}`)
    return answer(receipt.note ?? `${worker} is being stopped.`)
  },
})
