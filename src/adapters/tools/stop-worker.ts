import { z } from 'zod'
import { answer, complaint } from './answer.ts'
import { defineTool } from './define-tool.ts'
import { noTeam } from './no-team.ts'

/** Ends what a worker is doing. */
export const stopWorker = defineTool({
  name: 'StopWorker',
  description: [
    'Stops a worker and cancels what it was asked to do. Use it when its work is no longer needed or goes the wrong way;',
    'its unfinished work is lost. A worker that is merely slow is left alone: its deadline takes care of it.',
  ].join('\n'),
  input: z.strictObject({
    worker: z.string().min(1).describe('The name of the worker.'),
    reason: z.string().min(1).optional().describe('Why, in one sentence; the worker and the people who watch see it.'),
  }),
  effect: 'team',
  check: async (_input, context) => noTeam(context),
  async run({ worker, reason }, context) {
    if (!context.team) return complaint(noTeam(context) ?? '')
    const receipt = context.team.stop(worker, reason ?? 'no longer needed')
    return 'id' in receipt ? answer(`${worker} is being stopped.`) : complaint(`Not stopped: ${receipt.error}`)
  },
})
