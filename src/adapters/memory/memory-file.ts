import { createRequire } from 'node:module'
import type * as Yaml from 'yaml'
import { z } from 'zod'
import {
  isPersonal,
  memoryKinds,
  type Memory,
  type MemoryDraft,
  type MemorySource,
} from '../../protocol/memory/memory.ts'
import { partFrontmatter } from '../../rules/prompt/frontmatter-parts.ts'

const sourceSchema: z.ZodType<MemorySource> = z.strictObject({
  by: z.enum(['person', 'agent']),
  run: z.string().optional(),
  member: z.string().optional(),
  entry: z.string().optional(),
  file: z.string().optional(),
})

/** Loads the reader of YAML when a memory is read: programs whose agents remember nothing go without. */
const yaml = (): typeof Yaml => createRequire(import.meta.url)('yaml') as typeof Yaml

/** The frontmatter of a memory; keys of other programs are theirs. */
const headSchema = z.looseObject({
  description: z.string().optional(),
  type: z.enum(memoryKinds).catch('reference').optional(),
  date: z.iso.date().optional(),
  source: sourceSchema.optional(),
})

/** The part of a memory that its file tells. */
export type MemoryContent = Pick<Memory, 'kind' | 'description' | 'date' | 'source' | 'text'>

/** The file of a memory: YAML frontmatter with the keys that Claude Code reads, then Markdown. */
export function memoryFileText(name: string, { kind, description, date, source, text }: MemoryDraft): string {
  const head = { name, description, type: kind, date, source }
  const lines = Object.entries(head).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
  return ['---', ...lines, '---', '', text.trim(), ''].join('\n')
}

/** Facts of a file beside its text. */
interface FileFacts {
  /** The day on which it was changed, for files that name none. */
  readonly changed: string
  /** A person vouches for the file, whatever it says of its source. */
  readonly vouched?: MemorySource
  /** Another program wrote it: whatever it says, it is an agent's. */
  readonly foreign?: boolean | undefined
}

/**
 * Reads the file of a memory. Without frontmatter, as other programs write them, the whole file is a reference.
 *
 * @returns what the file says, or why it counts for nothing
 * @example readMemoryText('Ports are in infra/.', { changed: '2026-11-26' })
 */
export function readMemoryText(
  text: string,
  { changed, vouched, foreign = false }: FileFacts,
): MemoryContent | { readonly reason: string } {
  const parts = partFrontmatter(text)
  const plain = { kind: 'reference', source: vouched ?? { by: 'agent' } } as const
  if (parts === 'none' || parts === 'open')
    return { ...plain, description: firstLine(text), date: changed, text: text.trim() }
  const { head, body } = parts
  let value: unknown
  try {
    value = yaml().parse(head.join('\n'), { maxAliasCount: 0 })
  } catch {
    return { reason: 'its frontmatter is not valid YAML; mend it with troupe memory edit' }
  }
  const read = headSchema.safeParse(value ?? {})
  if (!read.success) {
    const [issue] = read.error.issues
    return { reason: `its frontmatter is wrong at "${issue?.path.join('.')}": ${issue?.message}` }
  }
  const { description, type: kind = plain.kind, date = changed } = read.data
  const source = vouched ?? read.data.source ?? plain.source
  if (foreign)
    return {
      kind: kind === 'project' ? kind : 'reference',
      description: description ?? firstLine(body),
      date,
      source: { ...source, by: 'agent' },
      text: body.trim(),
    }
  if (isPersonal(kind) && source.by !== 'person')
    return { reason: `it says that it is a ${kind} memory, and its source is no person` }
  return { kind, description: description ?? firstLine(body), date, source, text: body.trim() }
}

function firstLine(text: string): string {
  return (
    text
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.replace(/^#+\s*/, '')
      .trim() ?? ''
  )
}
