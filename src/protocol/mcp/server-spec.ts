import { z } from 'zod'

/**
 * One entry of `mcpServers`, in the words that `.mcp.json` and every other program use, so that entries can be copied.
 * What Troupe adds: `required`, `isolation`, `trustAnnotations`.
 */

const text = z.string().min(1, 'must not be empty')
const texts = z.record(z.string(), z.string())

export const mcpTransports = ['stdio', 'http', 'streamable-http', 'sse', 'ws'] as const

const oauthSchema = z
  .object({
    clientId: text.optional().describe('The id under which this program is registered there already.'),
    clientSecret: text.optional().describe('Its secret; write `${NAME}` and keep the secret in the environment.'),
    clientMetadataUrl: text.optional().describe('An https address that describes this client to the server.'),
    callbackPort: z.number().int().min(1).max(65_535).optional().describe('The port that the browser comes back to.'),
    scope: text.optional().describe('Scopes to ask for, instead of those that the server names.'),
  })
  .describe('How `troupe mcp login` introduces itself, where the server does not take everybody.')

const shape = {
  type: z.enum(mcpTransports).optional().describe('How it is spoken to (default: stdio, or http when it has a url).'),
  command: text.optional().describe('stdio: the program to start.'),
  args: z.array(z.string()).optional().describe('stdio: its arguments.'),
  env: texts.optional().describe('stdio: variables for it, beside those that every program gets.'),
  url: text.optional().describe('http, sse, ws: its address.'),
  headers: texts.optional().describe('http, sse: headers of each request.'),
  headersHelper: text.optional().describe('http, sse: a shell command that prints more headers as a JSON object.'),
  timeout: z.number().int().positive().optional().describe('Milliseconds for one call (default: 60000).'),
  startupTimeout: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('Milliseconds until it must answer (default: 30000).'),
  disabled: z.boolean().optional().describe('It is not started.'),
  required: z.boolean().optional().describe('Members wait for it before their first question to a model.'),
  isolation: z
    .enum(['shared', 'per-member'])
    .optional()
    .describe('per-member starts one for each member, for a server that keeps state (default: shared).'),
  trustAnnotations: z
    .boolean()
    .optional()
    .describe('Believe the server which of its tools only read. No permission follows from that.'),
  oauth: oauthSchema.optional(),
} as const

/** An entry of a team file: an unknown key is a mistake. */
export const mcpServerSchema = z
  .strictObject(shape)
  .refine((server) => (server.command === undefined) !== (server.url === undefined), 'needs a `command` or a `url`')

/** An entry of another program's file, whose further keys mean nothing here. */
export const foreignServerSchema = z
  .object(shape)
  .refine((server) => (server.command === undefined) !== (server.url === undefined), 'needs a `command` or a `url`')

/** Names stand in the names of tools. */
export const mcpServerNameSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,46}[A-Za-z0-9-])?$/,
    'must start with a letter or digit, hold at most 48 letters, digits, "_" and "-", and not end with "_"',
  )
  .refine((name) => !name.includes('__'), 'must not hold "__", which parts server and tool')

export const mcpServersSchema = z.record(mcpServerNameSchema, mcpServerSchema)

export type McpServerSpec = z.infer<typeof mcpServerSchema>
export type McpServers = Readonly<Record<string, McpServerSpec>>

/** Where an entry comes from, strongest first. */
export const mcpScopes = ['enterprise', 'local', 'user', 'project', 'plugin', 'dynamic', 'team'] as const
export type McpScope = (typeof mcpScopes)[number]

/** The servers of a resolved team, as they stood when the run was launched. */
export const resolvedServersSchema = z.record(
  z.string(),
  z.object({ spec: foreignServerSchema, scope: z.enum(mcpScopes), file: z.string() }),
)

/** An entry that counts. */
export interface ScopedServer {
  readonly name: string
  readonly spec: McpServerSpec
  readonly scope: McpScope
  /** The file that it stands in. */
  readonly file: string
}
