import { z } from 'zod'
import { answer, complaint } from '../define/answer.ts'
import { defineTool } from '../define/define-tool.ts'
import { jobById } from './member-jobs.ts'
import { promptText } from '../prompts/prompt-text.ts'

/** Stops a background command. */
export const killBash = defineTool({
  name: 'KillBash',
  aliases: ['kill_bash', 'KillShell'],
  description: promptText('kill-bash'),
  input: z.strictObject({ shell_id: z.string().min(1).describe('The id that Bash gave, such as bash_1.') }),
  effect: 'none',
  isDestructive: () => false,
  async run({ shell_id }, { memory }) {
    const job = jobById(memory, shell_id)
    if ('trouble' in job) return complaint(job.trouble)
    if (job.ended() !== null) return answer(`${job.id} had already ended.`)
    await job.stop()
    const { text, stored } = job.news()
    const parts = [`${job.id} was stopped, with everything it had started.`, text.replace(/\n+$/, '')]
    const shown = answer(parts.filter((part) => part !== '').join('\n'))
    return stored === undefined ? shown : { ...shown, stored }
  },
})
