import { z } from 'zod'
import { nameSchema } from './ids-schema.ts'

/** The APIs in which servers of models can be spoken to. */
export const providerApis = ['messages', 'responses', 'chat'] as const
/** The vendors' own clients for what a cloud offers. */
export const clouds = ['bedrock', 'vertex', 'foundry', 'azure'] as const

const text = z.string().min(1, 'must not be empty')
const texts = z.record(z.string(), z.string())

/** A provider of models by a name of one's own, as a team file and settings have it. */
export const providerSchema = z.strictObject({
  api: z.enum(providerApis).optional().describe('The API of the server: messages, responses or chat (default: chat).'),
  cloud: z.enum(clouds).optional().describe("The vendor's own client for a cloud."),
  base_url: z
    .string()
    .regex(/^https?:\/\/\S+$/, 'must be an http:// or https:// address')
    .optional()
    .describe('The address of the API.'),
  key: z
    .union([
      z.string().regex(/^\$[A-Za-z_]\w*$/, 'must be $VARIABLE, or {command: …}: a key itself stands in no file'),
      z.strictObject({
        command: text.describe('A command line that prints the key; it is asked again when the key is refused.'),
      }),
    ])
    .optional()
    .describe('Where the key is: `$VARIABLE`, or a command that prints it.'),
  headers: texts.optional().describe('Headers to send; `${NAME}` stands for a variable of the environment.'),
  query: texts.optional().describe('Parameters to send with every address.'),
  models: z.array(text).optional().describe('Names of the models that it offers.'),
  local: z.boolean().optional().describe('It runs on this machine: long silences are waited for (default: false).'),
  slots: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('Requests that it answers at the same time (default: as a server of this machine says, else any).'),
  // Both become parts of an address.
  region: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'must be the name of a region')
    .optional()
    .describe('The region of a cloud.'),
  project: z
    .string()
    .regex(/^[\w.:-]+$/, 'must be the id of a project')
    .optional()
    .describe('The project of a cloud.'),
  api_version: text.optional().describe('The version of the API that a cloud wants to be told.'),
})

export const providersSchema = z.record(nameSchema, providerSchema)

export type ProviderSpec = z.infer<typeof providerSchema>
export type ProviderSpecs = Readonly<Record<string, ProviderSpec>>
