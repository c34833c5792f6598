import type { Diagnostic } from '../../protocol/words/diagnostic.ts'
import { partFrontmatter } from '../../rules/prompt/frontmatter-parts.ts'
import type { Source } from './read-source.ts'
import { parseYaml, type YamlSource } from './yaml-source.ts'

/** A markdown file with a YAML head. */
export interface Frontmatter {
  readonly yaml: YamlSource
  /** The text below the head. */
  readonly body: string
}

/** The mistakes that a file without a head has. */
export interface HeadMissing {
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Parts a markdown file from its head and parses that. A text in it that holds `: ` without quotes, or runs on unindented, is taken
 * up to the next key, with a warning: published cards and skills are full of those, and a text for people grants nothing.
 *
 * @param what the kind of file, for messages: `a skill`
 * @param schema `failsafe` leaves every value a text
 * @source https://agentskills.io/client-implementation/adding-skills-support
 */
export function readFrontmatter(
  source: Source,
  what: string,
  schema: 'core' | 'failsafe' = 'core',
): Frontmatter | HeadMissing {
  const parts = partFrontmatter(source.text)
  const fault = (message: string): HeadMissing => ({
    diagnostics: [{ severity: 'error', code: 'no_frontmatter', message, file: source.file, line: 1, column: 1 }],
  })
  if (parts === 'none') return fault(`${what} begins with "---" and YAML frontmatter`)
  if (parts === 'open') return fault('the frontmatter is not closed by a line "---"')
  const { body } = parts
  const head = parts.head.map(asHint)
  const parse = (text: readonly string[]): YamlSource =>
    parseYaml(source.file, text.join('\n'), { firstLine: 2, schema })
  const yaml = parse(head)
  if (yaml.sound) return { yaml, body }
  const quoted = quotedTexts(head)
  const again = quoted.line === null ? yaml : parse(quoted.lines)
  if (quoted.line === null || !again.sound) return { yaml, body }
  const warning: Diagnostic = {
    severity: 'warning',
    code: 'unquoted_text',
    message: 'a text that holds ": ", or runs on unindented, stands without quotes; it is taken up to the next key',
    file: source.file,
    line: quoted.line,
    column: 1,
    hint: 'put the text in quotes',
  }
  return { yaml: { ...again, diagnostics: [warning, ...again.diagnostics] }, body }
}

/** `argument-hint: [file] [format]` is a text, as the reference writes it, though YAML takes it for a list. */
function asHint(line: string): string {
  return line.replace(
    /^argument-hint:[ \t]+(\[.*\S)\s*$/,
    (_, text: string) => `argument-hint: ${JSON.stringify(text)}`,
  )
}

/** Texts for people; what follows their key is no YAML of weight. */
const textLine = /^(description|when_to_use|compatibility|license|argument-hint):[ \t]+(?=[^\s"'[{|>&*!#%@`])(.*)$/

/**
 * The keys of heads that published cards, skills and commands have. A text ends before the next of these: the lines of its
 * examples stand unindented in some, and begin as keys do (`user: …`).
 */
const knownKey = new RegExp(
  `^(${[
    'name description when_to_use compatibility license version metadata author color model effort',
    'tools disallowedTools allowed-tools disallowed-tools permissionMode mcpServers hooks skills memory maxTurns background',
    'isolation initialPrompt argument-hint arguments disable-model-invocation user-invocable context agent paths shell',
  ]
    .join(' ')
    .replaceAll(' ', '|')}):(\\s|$)`,
)

/** The lines with texts in quotes that run over the lines below, up to the next key; `line`: the first of these in the file. */
function quotedTexts(lines: readonly string[]): { readonly lines: readonly string[]; readonly line: number | null } {
  const out = [...lines]
  let first: number | null = null
  for (const [at, line] of lines.entries()) {
    const [, key, text = ''] = textLine.exec(line) ?? []
    if (key === undefined) continue
    let end = at + 1
    while (end < lines.length && !knownKey.test(lines[end] ?? '')) end += 1
    const whole = [text, ...lines.slice(at + 1, end)]
      .map((part) => part.trim())
      .join(' ')
      .trim()
    if (!/:(\s|$)/.test(whole) && !lines.slice(at + 1, end).some((line) => /^\S/.test(line))) continue
    out[at] = `${key}: ${JSON.stringify(whole)}`
    out.fill('', at + 1, end)
    first ??= at + 2
  }
  return { lines: out, line: first }
}
