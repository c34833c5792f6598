import { readFile } from 'node:fs/promises'
import { parseDocument, type Document, LineCounter } from 'yaml'
import { z } from 'zod'
import { errorText } from '../../../protocol/words/error-text.ts'
import { failureSchema } from '../../../protocol/conversation/failure.ts'
import { stopReasons, usageSchema } from '../../../protocol/conversation/message.ts'
import type { ModelRequest } from '../../../protocol/models/model.ts'
import { modelNameSchema } from '../../../protocol/team/work-card.ts'
import { ModelUnavailable } from '../served/model-unavailable.ts'

/** One call of a step; `as` names its result for later lookups. */
const callSchema = z.strictObject({
  tool: z.string().min(1),
  input: z.unknown().optional(),
  as: z
    .string()
    .regex(/^(?!(task|mail)$)[a-z][a-z0-9_-]*$/, 'must be a word in small letters; "task" and "mail" are taken')
    .optional(),
  malformed: z.string().optional(),
})

/** One answer of a scripted model. */
export const stepSchema = z.strictObject({
  /** Text that the request must hold, else the step is a mismatch. */
  expect: z.union([z.string(), z.array(z.string())]).optional(),
  think: z.string().optional(),
  say: z.string().optional(),
  calls: z.array(callSchema).optional(),
  /** Default: `tools` when there are calls, else `end`. */
  stop: z.enum(stopReasons).optional(),
  fail: z.union([failureSchema.shape.code, failureSchema.partial({ message: true })]).optional(),
  usage: usageSchema.partial().optional(),
  /** After its text the answer never ends: only an abort does. */
  hang: z.boolean().optional(),
})

export const scriptSchema = z.strictObject({
  /** The model whose answers this file records. */
  record: modelNameSchema.optional(),
  /** Texts are taken as they are, `{{…}}` included. */
  literal: z.boolean().optional(),
  /** `strict` (the default): every request is one that was foreseen, every step is used. `lenient`: see `scripted.ts`. */
  replay: z.enum(['strict', 'lenient']).optional(),
  agents: z.record(z.string(), z.strictObject({ steps: z.array(stepSchema) })).default({}),
})

export type ScriptStep = z.infer<typeof stepSchema>
export type Script = z.infer<typeof scriptSchema>

/** Which step answers a request: as many came before as the agent has given answers. */
export function stepIndexOf({ messages, left_out = 0 }: ModelRequest): number {
  return left_out + messages.filter(({ role }) => role === 'assistant').length
}

/**
 * Reads a script (a scripted model's answers, or a cassette of a recorded one).
 *
 * @throws ModelUnavailable naming file, line and column of the first mistake
 */
export async function readScript(file: string): Promise<Script> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const reason = errorText(error)
    throw new ModelUnavailable('not_found', `the script cannot be read: ${reason}`, 'Check the path after "scripted/"')
  })
  return parseScript(file, text)
}

/** The same for a text; `file` only names it. */
export function parseScript(file: string, text: string): Script {
  const lines = new LineCounter()
  const doc = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' })
  const place = (offset: number): string => {
    const { line, col } = lines.linePos(offset)
    return `${file}:${Math.max(line, 1)}:${Math.max(col, 1)}`
  }
  const broken = doc.errors[0]
  if (broken) throw badScript(place(broken.pos[0]), broken.message)
  const parsed = scriptSchema.safeParse(valueOf(doc, place(0)))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const path = issue?.path ?? []
  throw badScript(place(offsetOf(doc, path)), `${path.join('.')}: ${issue?.message ?? 'not a script'}`)
}

function valueOf(doc: Document, place: string): unknown {
  try {
    return doc.toJS()
  } catch (error) {
    throw badScript(place, errorText(error))
  }
}

function offsetOf(doc: Document, path: readonly PropertyKey[]): number {
  const node: unknown = doc.getIn(path, true)
  const range = typeof node === 'object' && node !== null && 'range' in node ? node.range : undefined
  return Array.isArray(range) ? Number(range[0]) : 0
}

function badScript(place: string, message: string): ModelUnavailable {
  return new ModelUnavailable(
    'invalid_request',
    `${place} ${message}`,
    'A script reads: agents: { lead: { steps: [{ say: … }] } }',
  )
}
