import { plainHost } from '../paths/host-name.ts'
import { mayMatch } from '../shell/open-texts.ts'

/** The subject of the part in parentheses; `tool` means that there is none and the rule covers the whole tool. */
export type RuleKind = 'tool' | 'command' | 'path' | 'domain' | 'value'

export interface PermissionRule {
  /** As written. */
  readonly text: string
  /** A tool's name, or a pattern over MCP tool names. */
  readonly tool: string
  readonly specifier: string
  readonly kind: RuleKind
  /** Content of the script that the rule names: as an allow rule it holds for no other. */
  readonly sha256?: string
}

export interface BrokenRule {
  readonly error: string
}

/** A path rule of one of these names covers the tools beside it as well. */
const pathTools: ReadonlyMap<string, readonly string[]> = new Map([
  ['Read', ['Read', 'Glob', 'Grep', 'LS', 'NotebookRead']],
  ['Edit', ['Edit', 'Write', 'MultiEdit', 'NotebookEdit']],
])

const fileTools = new Set([...pathTools.values()].flat())

/**
 * Reads a permission rule in the syntax people already have: `Bash`, `Bash(git push:*)`, `Read(./x/**)`,
 * `WebFetch(domain:example.com)`, `mcp__server__tool`, `Agent(name)`.
 *
 * @returns What was wrong as `error` when it is no rule.
 * @example parseRule('Bash(npm run *)') // { tool: 'Bash', specifier: 'npm run *', kind: 'command', … }
 */
export function parseRule(text: string): PermissionRule | BrokenRule {
  const found = /^([A-Za-z][\w*-]*|\*)(?:\(([\s\S]*)\))?$/.exec(text.trim())
  const tool = found?.[1]
  if (tool === undefined) return { error: `"${text}" is not a rule: write Tool or Tool(what it covers)` }
  if (tool.includes('*') && tool !== '*' && !tool.startsWith('mcp__')) {
    return { error: `"${text}": only MCP tool names may hold a "*"` }
  }
  const specifier = found?.[2]?.trim()
  if (specifier === undefined || specifier === '*') return { text, tool, specifier: '', kind: 'tool' }
  if (specifier === '') return { error: `"${text}": there is nothing between the parentheses` }
  return withSpecifier({ text, tool, specifier })
}

function withSpecifier(rule: Omit<PermissionRule, 'kind'>): PermissionRule | BrokenRule {
  if (rule.tool === 'Bash') return ofScript(rule)
  if (fileTools.has(rule.tool)) {
    if (rule.specifier.startsWith('!')) return { error: `"${rule.text}": a path cannot be negated` }
    return { ...rule, kind: 'path' }
  }
  if (rule.tool === 'WebFetch' && rule.specifier.startsWith('domain:')) {
    return { ...rule, specifier: plainHost(rule.specifier.slice('domain:'.length)), kind: 'domain' }
  }
  return { ...rule, kind: 'value' }
}

/** `Bash(./build.sh #sha256:…)`: the command, as long as its script is this one. */
function ofScript(rule: Omit<PermissionRule, 'kind'>): PermissionRule {
  const [, specifier, sha256] = /^([\s\S]*\S)\s+#sha256:([0-9a-f]{64})$/.exec(rule.specifier) ?? []
  if (specifier === undefined || sha256 === undefined) return { ...rule, kind: 'command' }
  return { ...rule, specifier, sha256, kind: 'command' }
}

/**
 * Why a rule that reads well cannot serve in an allow list, or null. Such a rule allows nothing: a star in front of a
 * literal server's name would allow what nobody has seen, an argument or a path of another tool proves too little.
 *
 * @example allowProblem(parseRule('mcp__*')) // 'mcp__* allows nothing: …'
 */
export function allowProblem(rule: PermissionRule): string | null {
  const { tool, kind, text } = rule
  const because = (why: string): string => `${text} allows nothing: ${why}`
  if (tool === '*' || (tool.includes('*') && !/^mcp__(?:(?!__)[^*])+__/.test(tool))) {
    return because('an allow rule names its tool, or a server: mcp__server__*')
  }
  if (kind === 'path' && !pathTools.has(tool)) return because('write paths as Read(…) or Edit(…)')
  if (kind !== 'value') return null
  return /^\w+:/.test(rule.specifier) || tool.startsWith('mcp__')
    ? because('arguments can only be asked or denied')
    : null
}

/** Says whether rules of a tool speak of files: `Read`, `Grep`, `Write`. */
export function isFileTool(tool: string): boolean {
  return fileTools.has(tool)
}

/**
 * The tools whose calls a rule's tool name speaks of: `Edit` also covers `Write`, `mcp__github` every tool
 * of that server.
 */
export function coversTool(rule: PermissionRule, tool: string): boolean {
  if (rule.tool === '*') return true
  if (pathTools.get(rule.tool)?.includes(tool) === true) return true
  if (!rule.tool.startsWith('mcp__')) return rule.tool === tool
  if (rule.tool.includes('*')) return matchesText(rule.tool, tool)
  return rule.tool === tool || (!rule.tool.slice('mcp__'.length).includes('__') && tool.startsWith(`${rule.tool}__`))
}

/**
 * Compares a whole text with a pattern in which `*` stands for any characters, in linear time per star.
 *
 * @example matchesText('git * main', 'git push origin main') // true
 */
export function matchesText(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return text === pattern
  if (!text.startsWith(first) || !text.endsWith(last)) return false
  let from = first.length
  for (const piece of rest) {
    const at = text.indexOf(piece, from)
    if (at === -1) return false
    from = at + piece.length
  }
  return from <= text.length - last.length
}

/**
 * Says whether a pattern covers a host: `*` covers any, `*.example.com` what lies below, any other star stands inside of
 * one label.
 *
 * @param host In small letters, without a final dot.
 * @example coversHost('*.example.com', 'a.b.example.com') // true
 */
export function coversHost(pattern: string, host: string): boolean {
  if (pattern === '*') return true
  if (pattern.startsWith('*.')) {
    const labels = host.split('.')
    return labels.some((_label, i) => i > 0 && coversHost(pattern.slice(2), labels.slice(i).join('.')))
  }
  const wanted = pattern.split('.')
  const given = host.split('.')
  return wanted.length === given.length && wanted.every((label, i) => matchesText(label, given[i] ?? ''))
}

/**
 * Compares a shell rule with one command. `Bash(npm run *)`: a star is any text; a final ` *` or `:*` also stands for
 * nothing at all, but ends a word.
 */
export function coversCommand(rule: PermissionRule, text: string): boolean {
  return commandTest(rule.specifier)(text)
}

/** The same for texts with marks, of which the rule may cover one that they come to. */
export function openCommandTest(specifier: string): (text: string) => boolean {
  const patterns = patternsOf(specifier)
  return (text) => patterns.some((pattern) => mayMatch(pattern, text))
}

/** The patterns of a rule, in which a star is nothing but any text. */
function patternsOf(specifier: string): readonly string[] {
  const prefix = longer.exec(specifier)?.[1]
  return prefix === undefined ? [specifier] : [prefix, `${prefix} *`]
}

const longer = /^([\s\S]*)(?::\*| \*)$/

/** `coversCommand` for many commands. */
export function commandTest(specifier: string): (text: string) => boolean {
  const [prefix = '', below] = patternsOf(specifier)
  if (below === undefined)
    return specifier.includes('*') ? (text) => matchesText(specifier, text) : (text) => text === specifier
  const start = `${prefix} `
  if (!prefix.includes('*')) return (text) => text.startsWith(prefix) && (text === prefix || text.startsWith(start))
  return (text) => matchesText(prefix, text) || matchesText(below, text)
}
