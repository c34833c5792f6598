import { z } from 'zod'
import { spanSchema } from '../words/duration-schema.ts'

const names = z.array(z.string().min(1))

function isExpression(text: string): boolean {
  try {
    RegExp(text, 'su')
    return true
  } catch {
    return false
  }
}

/** Assertions about a run that is over. */
const expectationsSchema = z.strictObject({
  status: z
    .enum(['completed', 'failed', 'aborted', 'budget', 'permission'])
    .optional()
    .describe('How the run ends; `completed` when left out.'),
  answer: z
    .strictObject({
      contains: names.optional().describe('Texts that stand in the answer.'),
      matches: z
        .string()
        .refine(isExpression, 'must be a regular expression')
        .optional()
        .describe('A regular expression that the answer matches.'),
      equals: z.string().optional().describe('The whole answer.'),
    })
    .optional()
    .describe('The answer of the team.'),
  tools: z
    .strictObject({
      used: names.optional().describe('Tools that some member calls, and whose call does what it is asked.'),
      unused: names.optional().describe('Tools that no member calls.'),
    })
    .optional()
    .describe('Tool calls of all members.'),
  files: z
    .strictObject({
      changed: names.optional().describe('Files that are changed, made or removed, from the working directory.'),
      unchanged: names.optional().describe('Files that are not.'),
    })
    .optional()
    .describe('Changes by file tools and commands.'),
  members: names.optional().describe('Members that work; no others do.'),
  mail: z
    .array(
      z.strictObject({
        from: z.string().describe('The name of the member that sends it.'),
        to: z.string().describe('The name of the member that gets it.'),
        contains: z.string().optional().describe('A text that stands in it.'),
      }),
    )
    .optional()
    .describe('Mail that is sent, by names of members.'),
  cost_below: z.number().positive().optional().describe('Dollars that the run stays below.'),
  turns_below: z.number().int().positive().optional().describe('Answers of models, of all members together.'),
  denied: z.enum(['none', 'some']).optional().describe('Calls that a permission denies; `none` when left out.'),
})

export const teamTestSchema = z.strictObject({
  $schema: z.string().optional().describe('For editors.'),
  team: z.string().min(1).describe('The team file, found from this file.'),
  task: z.string().min(1).describe('The task of the run.'),
  cassette: z
    .string()
    .min(1)
    .optional()
    .describe('A recorded or scripted model that answers for every member, found from this file.'),
  files: z
    .record(z.string(), z.string())
    .optional()
    .describe('Texts of files in the working directory, which is otherwise empty, by their paths.'),
  timeout: spanSchema.optional().describe('The longest time that the run may take; 2m when left out.'),
  expect: expectationsSchema
    .optional()
    .describe('The assertions. Without any the run has to complete with no denied call.'),
})

/** The content of a `*.test.yaml`. */
export type TeamTest = z.infer<typeof teamTestSchema>
export type Expectations = z.infer<typeof expectationsSchema>
