import { z } from 'zod'
import { answer, complaint, noTeam } from '../define/answer.ts'
import { defineTool } from '../define/define-tool.ts'
import { promptText } from '../prompts/prompt-text.ts'

/** Ends the work on a request with a result, explicitly. */
export const report = defineTool({
  name: 'Report',
  description: promptText('report'),
  input: z.strictObject({
    request: z.string().min(1).describe('The id of the request that you answer, e.g. r3.'),
    text: z.string().min(1).describe('The whole result, as whoever asked will read it.'),
    files: z.array(z.string().min(1)).max(100).optional().describe('Paths of files that belong to it.'),
  }),
  effect: 'team',
  isDestructive: () => false,
  check: async (_input, context) => noTeam(context),
  async run({ request, text, files }, context) {
    if (!context.team) return complaint(noTeam(context) ?? '')
    const receipt = context.team.report({ request, text, files: files ?? [] })
    return 'error' in receipt ? complaint(`Not reported: ${receipt.error}`) : answer(`${receipt.id} is reported.`)
  },
})
