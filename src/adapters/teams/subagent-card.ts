import { z } from 'zod'
import type { Diagnostic } from '../../protocol/words/diagnostic.ts'
import type { WorkerFile } from '../../protocol/team/team-card.ts'
import { modelNameSchema } from '../../protocol/team/work-card.ts'
import type { Source } from './read-source.ts'
import { schemaDiagnostics } from './schema-issues.ts'
import { parseYaml } from './yaml-source.ts'

/** The frontmatter we read; what else a card says (colour, hooks, …) is other programs' business. */
const frontmatterSchema = z.looseObject({
  name: z.string().optional(),
  description: z.string().optional(),
  tools: z.union([z.string(), z.array(z.string())]).nullish(),
  model: z.string().nullish(),
})

export interface CardRead {
  readonly card: WorkerFile
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Reads a subagent card: markdown whose YAML frontmatter names description and tools, and whose text is
 * the prompt. The frontmatter must be valid YAML; guessing what a broken line meant could grant a tool.
 * A `model` counts only as `provider/model`: the short names of other programs mean nothing here.
 */
export function readSubagentCard(source: Source): CardRead {
  const parts = splitFrontmatter(source.text)
  if ('fault' in parts) return { card: {}, diagnostics: [atStart(source.file, 'no_frontmatter', parts.fault)] }
  const yaml = parseYaml(source.file, parts.frontmatter, 2)
  if (!yaml.sound) return { card: {}, diagnostics: yaml.diagnostics }
  const parsed = frontmatterSchema.safeParse(yaml.value)
  if (!parsed.success) {
    const wrong = schemaDiagnostics(parsed.error.issues, yaml, frontmatterSchema)
    return { card: {}, diagnostics: [...yaml.diagnostics, ...wrong] }
  }
  const { description, tools, model } = parsed.data
  const prompt = parts.body.trim()
  return {
    diagnostics: yaml.diagnostics,
    card: {
      ...(description?.trim() ? { description: description.trim() } : {}),
      ...(prompt === '' ? {} : { prompt }),
      ...(tools === undefined || tools === null ? {} : { tools: toolNames(tools) }),
      ...(model && modelNameSchema.safeParse(model).success ? { model } : {}),
    },
  }
}

function splitFrontmatter(text: string): { frontmatter: string; body: string } | { fault: string } {
  const lines = text.split(/\r?\n/)
  if (lines[0]?.trimEnd() !== '---') return { fault: 'a subagent card begins with "---" and YAML frontmatter' }
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---')
  if (end === -1) return { fault: 'the frontmatter is not closed by a line "---"' }
  return { frontmatter: lines.slice(1, end).join('\n'), body: lines.slice(end + 1).join('\n') }
}

/** `Read, Bash(git log:*, git show:*)` → two names: commas inside parentheses belong to the name. */
function toolNames(tools: string | readonly string[]): string[] {
  const list = typeof tools === 'string' ? tools.split(/,(?![^(]*\))/) : tools
  return list.map((name) => name.trim()).filter((name) => name !== '')
}

function atStart(file: string, code: string, message: string): Diagnostic {
  return { severity: 'error', code, message, file, line: 1, column: 1 }
}
