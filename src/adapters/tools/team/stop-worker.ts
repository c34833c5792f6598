import { z } from 'zod'
import { durationSchema } from '../../../protocol/words/duration-schema.ts'
import { durationMs } from '../../../protocol/words/duration.ts'
import { stopGraceMs } from '../../../rules/lives/stop-text.ts'
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
    grace: durationSchema
      .optional()
      .describe(
        'How long it may take to save, to finish, or to tell you why it goes on, e.g. 30s; 10s when left out, 0s ends it at once.',
      ),
  }),
  effect: 'team',
  check: async (_input, context) => noTeam(context),
  async run({ worker, reason, grace }, context) {
    if (!context.team) return complaint(noTeam(context) ?? '')
    const receipt = context.team.stop({
      worker,
      reason: reason ?? 'no longer needed',
      grace_ms: grace === undefined ? stopGraceMs : durationMs(grace),
    })
    if ('error' in receipt) return complaint(`Not stopped: ${receipt.error}`)
    return answer(receipt.note ?? `${worker} is being stopped.`)
  },
})
