import {
  type Behavior,
  type PermissionSource,
  type RuleOrigin,
  permissionSources,
  type Policy,
  type PermissionMode,
} from '../../protocol/permissions/permission.ts'
import { firstWord } from '../shell/bash-runners.ts'
import { isOpen } from '../shell/open-texts.ts'
import { pathWords } from '../paths/path-inside.ts'
import { spots, type Action } from './action.ts'
import { readyRule, type ReadyRule } from './match.ts'
import { allowProblem, isFileTool, parseRule, type PermissionRule } from './rule.ts'

/** A rule of one list of one source, or why it cannot be used. */
export interface Listed {
  readonly source: PermissionSource
  readonly list: Behavior
  readonly text: string
  /** `file:line`, when it stands in a file. */
  readonly place: { readonly at?: string; readonly of?: string }
  readonly ready: ReadyRule | null
  readonly problem?: string
}

export interface RuleList {
  readonly source: PermissionSource
  readonly list: Behavior
  readonly texts: readonly string[]
  readonly origins?: readonly RuleOrigin[] | undefined
  /** Says why a usable rule is not in force now. */
  readonly without?: (rule: PermissionRule) => string | null
}

/** Reads and prepares the rules of one list. */
export function readyRules(list: RuleList): readonly Listed[] {
  return list.texts.map((text, i) => listed(text, list, list.origins?.[i]))
}

function placeOf(origin: RuleOrigin | undefined): Listed['place'] {
  if (origin === undefined) return {}
  const { at, of } = origin
  return of === undefined ? { at } : { at, of }
}

function listed(text: string, of: RuleList, origin: RuleOrigin | undefined): Listed {
  const { source, list, without } = of
  const wide = list !== 'allow'
  const rule = parseRule(text)
  const shared = { source, list, text, place: placeOf(origin) }
  if ('error' in rule) return { ...shared, ready: null, problem: rule.error }
  const problem = (wide ? null : allowProblem(rule)) ?? without?.(rule) ?? null
  if (problem !== null) return { ...shared, ready: null, problem }
  return { ...shared, ready: readyRule(rule, wide, origin?.root) }
}

/** Usable rules with their numbers, each in one bucket. */
export interface RuleIndex {
  readonly tools: Buckets
  /** Rules about shell commands, by the words with which all of these begin: two where both are plain. */
  readonly commands: Buckets
  /** The same rules, by the first word alone. */
  readonly programs: Buckets
  /** Rules about files, by a word that every path has which they match. */
  readonly files: Buckets
}

type Buckets = ReadonlyMap<string, readonly NumberedRule[]>

type NumberedRule = readonly [number: number, rule: Listed]

/** Rules that could concern a call, by list. */
export type Concerned = Readonly<Record<Behavior, readonly Listed[]>>

const servers = '(mcp)'
const everyTool = '*'
/** Of rules without a word that all must have which they cover. */
const any = ''

/** Sorts rules once, so that a call is only compared with those that could concern it. */
export function indexRules(rules: readonly Listed[]): RuleIndex {
  const kinds = Map.groupBy(rules.entries(), ([, { ready }]) => (ready === null ? 'unusable' : kindOf(ready.rule)))
  const ruleOf = ([, { ready }]: NumberedRule): PermissionRule | undefined => ready?.rule
  const commands = kinds.get('commands') ?? []
  return {
    tools: Map.groupBy(kinds.get('tools') ?? [], (each) => toolBucket(ruleOf(each)?.tool ?? '')),
    commands: Map.groupBy(commands, (each) => commandBucket(ruleOf(each)?.specifier ?? '')),
    programs: Map.groupBy(commands, (each) => programBucket(ruleOf(each)?.specifier ?? '')),
    files: byWord(kinds.get('files') ?? []),
  }
}

function kindOf({ tool, kind }: PermissionRule): 'tools' | 'commands' | 'files' {
  if (kind === 'command') return 'commands'
  return isFileTool(tool) ? 'files' : 'tools'
}

/** Of the words of a rule the one that the fewest others have. */
function byWord(rules: readonly NumberedRule[]): Buckets {
  const counts = new Map<string, number>()
  const wordsOf = ([, { ready }]: NumberedRule): readonly string[] => ready?.pattern?.words ?? []
  for (const word of rules.flatMap(wordsOf)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const count = (word: string): number => counts.get(word) ?? 0
  return Map.groupBy(rules, (rule) => wordsOf(rule).toSorted((a, b) => count(a) - count(b))[0] ?? any)
}

function toolBucket(tool: string): string {
  return tool.startsWith('mcp__') ? servers : tool
}

function commandBucket(specifier: string): string {
  return plainStart(specifier) ?? programBucket(specifier)
}

/** `git push:*` → `git push`. Quotes change nothing in such words, so that each spelling of a command begins with them. */
function plainStart(text: string): string | undefined {
  return /^[\w@%+=,./^-]+ [\w@%+=,./^-]+(?=\s|:\*$|$)/.exec(text)?.[0]
}

/** A rule about an argument, or with a star in its first word, could concern any command. */
function programBucket(specifier: string): string {
  const word = /^([^\s*]+)(?=\s|:\*$|$)/.exec(specifier)?.[1]
  return word === undefined || /^\w+:(?!\*$)/.test(specifier) ? any : word
}

/** The rules that could concern a call, in their order. */
export function candidates({ tools, commands, programs, files }: RuleIndex, action: Action): Concerned {
  const chosen = new Set<readonly NumberedRule[]>()
  const choose = (buckets: Buckets, word: string): void => {
    const rules = buckets.get(word)
    if (rules !== undefined) chosen.add(rules)
  }
  choose(tools, everyTool)
  choose(tools, toolBucket(action.tool))
  if (action.tool === 'Bash') {
    // Where a word comes to nothing, or to nobody knows what, the command may begin with other ones.
    const begun = action.commands.some(isOpen) ? programs : commands
    choose(begun, any)
    for (const text of textsOf(action)) {
      const word = firstWord(text)
      if (!programs.has(word)) continue
      choose(begun, word)
      choose(begun, plainStart(text) ?? any)
    }
  }
  // A glob may stand for any path.
  if (action.paths.some(({ glob }) => glob)) for (const rules of files.values()) chosen.add(rules)
  else if (action.paths.length > 0) {
    choose(files, any)
    for (const word of wordsIn(action)) choose(files, word)
  }
  const found: NumberedRule[] = []
  for (const rules of chosen) found.push(...rules)
  if (chosen.size > 1) found.sort((a, b) => a[0] - b[0])
  const lists = { deny: [] as Listed[], ask: [] as Listed[], allow: [] as Listed[] }
  for (const each of found) lists[each[1].list].push(each[1])
  return lists
}

/** The words of all paths; most of these begin with the working directory. */
function wordsIn({ paths, cwd }: Action): readonly string[] {
  const start = `${cwd}/`
  let rest = cwd
  for (const path of paths)
    for (const spot of spots(path)) rest += ` ${spot.startsWith(start) ? spot.slice(start.length) : spot}`
  return pathWords(rest)
}

/** The line and its commands, as rules may spell them. */
function textsOf({ commands, input }: Action): ReadonlySet<string> {
  const line = input['command']
  const texts = new Set([typeof line === 'string' ? line.trim() : ''])
  for (const { spellings } of commands) for (const text of spellings) texts.add(text)
  return texts
}

/** All rules of a policy, prepared. */
export interface PolicyRules {
  /** List by list, and in each the sources in their order. */
  readonly index: RuleIndex
  /** Rules that forbid and cannot be read, with what can be made out of their tool. */
  readonly broken: readonly { readonly rule: Listed; readonly about: PermissionRule | null }[]
  /** The first rule that forbids a command. */
  readonly command: Listed | undefined
  /** The rules that forbid commands, by the first word of these. */
  readonly commands: ReadonlyMap<string, readonly Listed[]>
  /** The rules that forbid files. */
  readonly paths: readonly Listed[]
  /** The rules that forbid hosts. */
  readonly hosts: readonly Listed[]
}

/** Prepares the rules of a policy. */
export function policyRules(policy: Policy): PolicyRules {
  const all = (['deny', 'ask', 'allow'] as const).flatMap((list) => rulesOf(policy, list).flatMap(({ rules }) => rules))
  const forbidding = all.filter(({ list }) => list !== 'allow')
  const broken = forbidding.filter(({ ready }) => ready === null).map((rule) => ({ rule, about: aboutOf(rule.text) }))
  const kinds = (kind: PermissionRule['kind']): Listed[] => forbidding.filter(({ ready }) => ready?.rule.kind === kind)
  const commands = Map.groupBy(kinds('command'), ({ ready }) => commandStart(ready?.rule.specifier ?? ''))
  return {
    index: indexRules(all),
    broken,
    command: kinds('command')[0],
    commands,
    paths: kinds('path'),
    hosts: kinds('domain'),
  }
}

/** `git push:*` → git */
function commandStart(specifier: string): string {
  return nameOf(firstWord(specifier).replace(/:?\*$/, ''))
}

/** `/usr/bin/rm` → `rm`, as the rules that forbid commands are sorted. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** More words of a command than these are not compared with a rule. */
export const mostCovered = 40

/** The first command among some words that a rule forbids. */
export function forbiddenIn(
  words: readonly string[],
  { commands }: PolicyRules,
): { rule: Listed; text: string } | null {
  for (const [at, word] of words.entries()) {
    const name = nameOf(word)
    const named = commands.get(name)
    if (named === undefined) continue
    const text = [name, ...words.slice(at + 1, at + mostCovered)].join(' ')
    const rule = named.find(({ ready }) => ready?.covers(text) === true)
    if (rule !== undefined) return { rule, text }
  }
  return null
}

/** The tool that an unreadable rule names can mostly still be made out; null when it may be any. */
function aboutOf(text: string): PermissionRule | null {
  const named = parseRule(/^\w*/.exec(text.trim())?.[0] ?? '')
  return 'error' in named ? null : named
}

/** The rules of one list, source by source. */
export function rulesOf(policy: Policy, list: Behavior): readonly SourceRules[] {
  const without = list === 'allow' ? (rule: PermissionRule) => strippedBecause(rule, policy.mode) : () => null
  return permissionSources.flatMap((source) => {
    const texts = policy.rules[source]?.[list] ?? []
    const origins = policy.origins?.[source]?.[list]
    return texts.length === 0 ? [] : [{ source, rules: readyRules({ source, list, texts, origins, without }) }]
  })
}

interface SourceRules {
  readonly source: PermissionSource
  readonly rules: readonly Listed[]
}

/** Programs that run any other program or text: to allow all their calls is to allow everything. */
const openEnded = new Set(
  `python python2 python3 pypy pypy3 node deno bun ruby perl php lua tclsh osascript pwsh powershell bash sh dash zsh ksh
  fish npx bunx pnpx uvx pipx tsx ts-node eval exec command sudo doas su env xargs ssh script watch parallel source .
  docker kubectl`.split(/\s+/),
)

/**
 * Why an allow rule is out of force in a mode that already lets changes through unasked: it would turn that mode into
 * one that asks nothing. Null when the rule stays.
 *
 * @example strippedBecause(parseRule('Bash(python3:*)'), 'acceptEdits') // 'Bash(python3:*) is not in force …'
 */
export function strippedBecause(rule: PermissionRule, mode: PermissionMode): string | null {
  if (mode !== 'acceptEdits' || rule.tool !== 'Bash') return null
  const name = /^([\w./-]+)(?: \*|:\*|\*)$/.exec(rule.specifier)?.[1]
  const wide = rule.kind === 'tool' || (name !== undefined && openEnded.has(name.slice(name.lastIndexOf('/') + 1)))
  if (!wide) return null
  return `${rule.text} is not in force in ${mode} mode: it would let any command run unasked`
}
