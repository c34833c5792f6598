import { z } from 'zod'
import { evidenceSchema, taskIdSchema, type Evidence, type TaskAsk } from '../../../protocol/work/task.ts'
import { parseJson } from '../../fs/parse-json.ts'
import { defineTool } from '../define/define-tool.ts'
import { promptText } from '../prompts/prompt-text.ts'
import { askBoard, noBoard } from './board-of.ts'

const pieces = z.array(evidenceSchema).max(16)

const input = z.strictObject({
  id: taskIdSchema.describe('The number of the task.'),
  outcome: z
    .enum(['done', 'failed', 'cancelled'])
    .optional()
    .describe('done (default): the work is finished. failed: you give it up. cancelled: nobody needs it any more.'),
  evidence: z
    .union([pieces, z.string()])
    .optional()
    .describe(
      'What shows that it is done: a command you ran with its exit code, a file with its SHA-256, or a declared check.',
    ),
  reason: z.string().optional().describe('Why it failed, was cancelled, or is not confirmed.'),
})

/** Ends a task, or confirms what another member did. */
export const taskDone = defineTool({
  name: 'TaskDone',
  description: promptText('task-done'),
  input,
  effect: 'team',
  isDestructive: () => false,
  timeout: null,
  interrupt: 'cancel',
  check: (_input, context) => noBoard(context),
  run: (given, context) => {
    const evidence = evidenceIn(given.evidence)
    const note = evidence === null ? ' What you wrote of it was not checked: words are no evidence.' : ''
    return askBoard(
      askOf(given, evidence ?? []),
      context,
      ({ task, state }) => `Task ${task} ${standings[state]}.${note}`,
    )
  },
})

/** Models also write a sentence where evidence belongs, or the list as text; null when it is only words. */
function evidenceIn(given: z.infer<typeof input>['evidence'] = []): readonly Evidence[] | null {
  if (typeof given !== 'string') return given
  return pieces.safeParse(parseJson(given)).data ?? null
}

function askOf(
  { id: task, outcome = 'done', reason = '' }: z.infer<typeof input>,
  evidence: readonly Evidence[],
): TaskAsk {
  if (outcome === 'done') return { ask: 'submit', task, evidence: [...evidence] }
  return { ask: outcome === 'failed' ? 'reject' : 'cancel', task, reason }
}

const standings = {
  blocked: 'is blocked',
  open: 'is back on the board',
  claimed: 'is claimed',
  verifying: 'is being checked',
  review: 'waits for another member to confirm it',
  done: 'is done',
  failed: 'has failed',
  cancelled: 'is cancelled',
} as const
