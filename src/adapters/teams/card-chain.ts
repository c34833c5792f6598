import { realpath } from 'node:fs/promises'
import { dirname, extname, join, resolve } from 'node:path'
import { workerSchema, type WorkerFile } from '../../protocol/team/team-card.ts'
import type { Hook } from '../../protocol/hooks/hook.ts'
import { readHooks, tableOf } from '../../rules/hooks/read-hooks.ts'
import type { TextPlace } from './places.ts'
import { didYouMean } from '../../rules/tools/did-you-mean.ts'
import { builtinCards } from './builtin-cards.ts'
import { readFrontmatter } from './frontmatter.ts'
import { isSource, readSource, type Source } from './read-source.ts'
import { schemaDiagnostics } from './schema-issues.ts'
import { parseYaml } from './yaml-source.ts'
import { z } from 'zod'
import { memoryScopes, type MemoryScope } from '../../protocol/memory/memory.ts'
import { nameSchema } from '../../protocol/words/ids-schema.ts'
import type { Diagnostic } from '../../protocol/words/diagnostic.ts'
import { modelNameSchema } from '../../protocol/team/work-card.ts'

/** Finds the card that a name such as `fmt:reviewer` means; null for a text that is no such name. */
export type FindCard = (name: string) => { readonly path: string } | { readonly trouble: string } | null

/** One `from:`, where it is written and which files led to it. */
export interface CardReference {
  readonly from: string
  /** The file that says `from:`, as people named it. */
  readonly file: string
  readonly place: TextPlace
  /** Absolute, links resolved; the file that says `from:` is last. */
  readonly chain: readonly string[]
  readonly ofPlugin?: FindCard
}

/**
 * Follows `from:` through worker cards (YAML) down to a subagent card (markdown), a built-in kind, or an agent of
 * a plugin. The nearer file wins, key by key; a
 * list or a map is taken whole. A circle, a missing file and every mistake inside a card are diagnostics.
 */
export async function readCard(reference: CardReference): Promise<CardRead> {
  const [, kind] = /^builtin:(.*)$/s.exec(reference.from) ?? []
  if (kind !== undefined) return readBuiltin(kind, reference)
  const found = reference.ofPlugin?.(reference.from) ?? null
  if (found !== null && 'trouble' in found) return failed(reference, 'from_not_found', `from: ${found.trouble}`)
  const path = await realPath(found?.path ?? resolve(dirname(reference.chain.at(-1) ?? ''), reference.from))
  if (reference.chain.includes(path)) {
    const circle = [...reference.chain.slice(reference.chain.indexOf(path)), path].map((file) => shortName(file))
    return failed(reference, 'from_cycle', `from: leads in a circle: ${circle.join(' → ')}`)
  }
  const source = readSource(found?.path ?? join(dirname(reference.file), reference.from), path)
  if (!isSource(source)) {
    return failed(reference, `from_${source.code}`, `from: ${reference.from}: ${source.message}`)
  }
  switch (extname(path).toLowerCase()) {
    case '.md':
      return readSubagentCard(source)
    case '.yaml':
    case '.yml':
      return readWorkerCard(source, reference)
    default:
      return failed(reference, 'from_kind', 'from: names a subagent card (.md) or a worker card (.yaml)')
  }
}

function readBuiltin(kind: string, reference: CardReference): CardRead {
  const card = builtinCards.get(kind)
  if (card) return { card, diagnostics: [] }
  const names = [...builtinCards.keys()]
  const guess = didYouMean(kind, names)
  const hint = guess === undefined ? `there are ${names.join(', ')}` : `did you mean "builtin:${guess}"?`
  return failed(reference, 'from_not_found', `from: there is no built-in kind "${kind}"; ${hint}`)
}

async function readWorkerCard(source: Source, reference: CardReference): Promise<CardRead> {
  const yaml = parseYaml(source.file, source.text)
  if (!yaml.sound) return { card: {}, diagnostics: yaml.diagnostics }
  const parsed = workerSchema.safeParse(yaml.value)
  if (!parsed.success) {
    const wrong = schemaDiagnostics(parsed.error.issues, yaml, workerSchema)
    return { card: {}, diagnostics: [...yaml.diagnostics, ...wrong] }
  }
  const { from, ...own } = parsed.data
  if (from === undefined) return { card: own, diagnostics: yaml.diagnostics }
  const chain = [...reference.chain, source.path]
  const below = await readCard({ ...reference, from, file: source.file, place: yaml.place(['from']), chain })
  return { card: { ...below.card, ...own }, diagnostics: [...yaml.diagnostics, ...below.diagnostics] }
}

/** Links resolved as far as the file exists, so that a circle through a link is still one. */
export async function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path))
}

function failed(reference: CardReference, code: string, message: string): CardRead {
  return {
    card: {},
    diagnostics: [{ severity: 'error', code, message, file: reference.file, ...reference.place }],
  }
}

function shortName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The frontmatter we read; what else a card says (colour, …) is other programs' business. */
const frontmatterSchema = z.looseObject({
  name: z.string().optional(),
  description: z.string().optional(),
  tools: z.union([z.string(), z.array(z.string())]).nullish(),
  model: z.string().nullish(),
  memory: z.enum(memoryScopes).nullish().catch(undefined),
  skills: z.union([z.string(), z.array(z.string())]).nullish(),
  hooks: z.unknown().optional(),
})

export interface CardRead {
  readonly card: WorkerFile
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Reads a subagent card: markdown whose YAML frontmatter names description and tools, and whose text is
 * the prompt. But for a description without quotes the frontmatter must be valid YAML; guessing what a broken line meant could
 * grant a tool.
 * A `model` counts only as `provider/model`: the short names of other programs mean nothing here.
 */
export function readSubagentCard(source: Source): CardRead {
  const parts = readFrontmatter(source, 'a subagent card')
  if (!('yaml' in parts)) return { card: {}, ...parts }
  const { yaml } = parts
  if (!yaml.sound) return { card: {}, diagnostics: yaml.diagnostics }
  const parsed = frontmatterSchema.safeParse(yaml.value)
  if (!parsed.success) {
    const wrong = schemaDiagnostics(parsed.error.issues, yaml, frontmatterSchema)
    return { card: {}, diagnostics: [...yaml.diagnostics, ...wrong] }
  }
  const { name, description, tools, model, memory, skills } = parsed.data
  const prompt = parts.body.trim()
  const { hooks, complaints } = readHooks(parsed.data.hooks ?? undefined, { source: 'member', at: String })
  const wrong = complaints.map(({ path, message }): Diagnostic => {
    return { severity: 'warning', code: 'hook_unusable', message, file: yaml.file, ...yaml.place(path) }
  })
  return {
    diagnostics: [...yaml.diagnostics, ...wrong],
    card: {
      ...(description?.trim() ? { description: description.trim() } : {}),
      ...(prompt === '' ? {} : { prompt }),
      ...(tools === undefined || tools === null ? {} : { tools: toolNames(tools) }),
      ...(skills === undefined || skills === null ? {} : { skills: toolNames(skills) }),
      ...(model && modelNameSchema.safeParse(model).success ? { model } : {}),
      ...(hooks.length === 0 ? {} : { hooks: tableOf(hooks.map(ofSubagent)) }),
      ...(memory ? { memory: subagentMemory(memory, name) } : {}),
    },
  }
}

/** The end of a subagent's own turn is that of a worker. */
function ofSubagent(hook: Hook): Hook {
  return hook.event === 'Stop' ? { ...hook, event: 'SubagentStop' } : hook
}

/** A subagent that remembers in Claude Code goes on where it remembers there. */
function subagentMemory(scope: MemoryScope, name: string | undefined): WorkerFile['memory'] {
  const named = nameSchema.safeParse(name)
  return { scope, ...(named.success ? { claude_agent: named.data } : {}) }
}

/** `Read, Bash(git log:*, git show:*)` → two names: commas inside parentheses belong to the name. */
function toolNames(tools: string | readonly string[]): string[] {
  const list = typeof tools === 'string' ? tools.split(/,(?![^(]*\))/) : tools
  return list.map((name) => name.trim()).filter((name) => name !== '')
}
