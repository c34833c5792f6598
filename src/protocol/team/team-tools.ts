import { z } from 'zod'
import { toolNamePattern } from '../words/ids.ts'

/**
 * Tools that a team brings along: calls to an address, declared in its file, and code beside it
 * (docs/how-to/add-a-tool.md).
 */

export const toolNameSchema = z
  .string()
  .regex(toolNamePattern, 'must start with a letter and hold only letters, digits, "_" and "-"')

const text = z.string().min(1, 'must not be empty')

export const httpToolSchema = z.strictObject({
  description: text.describe('What a model reads of it: when to use it, when not, its limits.'),
  url: z
    .string()
    .regex(/^https?:\/\/\S+$/, 'must be an http:// or https:// address')
    .describe('Where each call is sent, as POST of `{tool, call_id, input}` in JSON.'),
  headers: z
    .record(z.string(), z.string())
    .optional()
    .describe('Headers to send; `${NAME}` stands for a variable of the environment.'),
  input: z
    .record(z.string(), z.unknown())
    .refine((schema) => schema['type'] === 'object', 'must be a JSON Schema with `type: object`')
    .optional()
    .describe('JSON Schema of the arguments (default: an object without any).'),
  read_only: z.boolean().optional().describe('It changes nothing, so calls may run side by side (default: false).'),
  timeout: z
    .string()
    .regex(/^\d+(ms|s|m|h)$/, 'must be a duration such as 30s, 10m or 2h')
    .optional()
    .describe('Longest wait for the answer (default: 30s).'),
})

export const httpToolsSchema = z.record(toolNameSchema, httpToolSchema)

/** A tool in a file beside the team; it is code, so it runs only when a person trusts exactly this content. */
export const codeToolSchema = z.object({
  name: toolNameSchema,
  /** Relative to the team file. */
  file: z.string(),
  sha256: z.string(),
})

export type HttpToolCard = z.infer<typeof httpToolSchema>
export type CodeToolCard = z.infer<typeof codeToolSchema>
