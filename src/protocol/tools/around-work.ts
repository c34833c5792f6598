import { z } from 'zod'
import { spanSchema } from '../words/duration-schema.ts'

const text = z.string().min(1, 'must not be empty')
const chars = z.number().int().positive()
const toolNames = z.array(text).min(1)

/** The middleware that comes with Troupe, by name, each with its options. A new one is an entry here and one in `packaged.ts`. */
const packaged = {
  dedup_tools: z
    .strictObject({ tools: toolNames.describe('Tools whose results stay the same for the same input.') })
    .describe('An equal call of these tools is answered with the result of the one before; what failed is made again.'),
  persist_results: z
    .strictObject({
      above: chars.describe('Characters of a result from which on it is put into a file of the run.'),
      except: toolNames.optional().describe('Tools whose results are shown whole all the same.'),
    })
    .describe('Long results are put into a file, and the member is shown their beginning and where the rest is.'),
  short_tail: z
    .strictObject({
      keep: z.number().int().nonnegative().describe('Latest turns whose results are shown whole.'),
      above: chars.optional().describe('Characters of all results from which on it does so (default: 131072).'),
    })
    .describe('Old results are left out of what the model is asked; the conversation keeps them.'),
  diagnostics: z
    .strictObject({
      command: text.describe(
        'A checker that prints its complaints, one a line, e.g. `npx tsc --noEmit --pretty false`.',
      ),
      files: z
        .array(text)
        .min(1)
        .optional()
        .describe('Ends of the names of files that it checks, e.g. `.ts` (default: any).'),
      timeout: spanSchema.optional().describe('How long it may take (default: 30s).'),
    })
    .describe(
      "After an edit the member is told what the checker newly complains of; it runs as the member's own Bash.",
    ),
} as const

/** The names of the packaged middleware. */
export type PackagedName = keyof typeof packaged

/** One of them with its options: a map with one key. */
export const packagedSchema = z
  .strictObject(packaged)
  .partial()
  .refine((one) => Object.keys(one).length === 1, {
    error: 'must be one middleware: a map with one key',
    // An unknown name is told of by itself.
    when: ({ issues }) => issues.length === 0,
  })
export type Packaged = z.infer<typeof packagedSchema>

/** Keys of a team file, for all members or for one: the code around their work, and when their tools are shown. */
export const aroundFields = {
  middleware: z
    .array(packagedSchema)
    .optional()
    .describe(
      'Packaged code around the work, the first is the outermost; that of a member goes around that of the team.',
    ),
  defer_tools: z
    .union([z.boolean(), z.array(text)])
    .optional()
    .describe(
      'Tools whose schemas are shown after a look-up with ToolSearch: all that the member is given, or these (default: false).',
    ),
  always_load: z.array(text).optional().describe('Tools that are shown from the beginning all the same.'),
}
