import { z } from 'zod'
import { answer, complaint } from '../define/answer.ts'
import { commandFooter, exitOf } from './command-report.ts'
import { defineTool } from '../define/define-tool.ts'
import { jobById } from './member-jobs.ts'
import { promptText } from '../prompts/prompt-text.ts'

const maxWait = 60_000
const maxResultChars = 30_000

/** Shows what a background command printed. */
export const bashOutput = defineTool({
  name: 'BashOutput',
  aliases: ['bash_output'],
  description: promptText('bash-output', { seconds: maxWait / 1_000, maxResultChars }),
  input: z.strictObject({
    bash_id: z.string().min(1).describe('The id that Bash gave, such as bash_1.'),
    wait: z
      .number()
      .int()
      .min(0)
      .max(maxWait)
      .optional()
      .describe(`Milliseconds to wait for something new or for its end (default 0, at most ${maxWait}).`),
  }),
  effect: 'none',
  isReadOnly: () => true,
  interrupt: 'cancel',
  maxResultChars,
  async run({ bash_id, wait = 0 }, context) {
    const job = jobById(context.memory, bash_id)
    if ('trouble' in job) return complaint(job.trouble)
    if (wait > 0) await job.stirred(wait, context.signal)
    const end = job.ended()
    const state = end === null ? `[${job.id} is running]` : `[${job.id} has ended] ${commandFooter(end, null)}`.trim()
    const { text, stored } = job.news()
    const printed = text.replace(/\n+$/, '')
    const exit = end === null ? {} : exitOf(job.command, end)
    const shown = { ...answer([printed === '' ? '[nothing new]' : printed, state].join('\n')), ...exit }
    return stored === undefined ? shown : { ...shown, stored }
  },
})
