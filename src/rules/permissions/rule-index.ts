import {
  type Behavior,
  type PermissionSource,
  type RuleOrigin,
  permissionSources,
  type Policy,
  type PermissionMode,
} from '../../protocol/permissions/permission.ts'
import { firstWord } from '../shell/bash-runners.ts'
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

/** Usable rules with their numbers. */
export interface RuleIndex {
  /** Rules by tool; those about shell commands by the command's first word. */
  readonly buckets: Buckets
  /** Rules about files, by a word that every path has which they match. */
  readonly files: Buckets
}

type Buckets = ReadonlyMap<string, readonly NumberedRule[]>

type NumberedRule = readonly [number: number, rule: Listed]

/** Rules that could concern a call, by list. */
export type Concerned = Readonly<Record<Behavior, readonly Listed[]>>

const files = '(files)'
const servers = '(mcp)'
const everyTool = '*'
const everyCommand = '(command)'
const unusable = '(unusable)'

/** Sorts rules once, so that a call is only compared with those that could concern it. */
export function indexRules(rules: readonly Listed[]): RuleIndex {
  const numbered = [...rules.entries()]
  const buckets = Map.groupBy(numbered, ([, { ready }]) => (ready === null ? unusable : bucketOf(ready.rule)))
  return { buckets, files: byWord(buckets.get(files) ?? []) }
}

/** Of the words of a rule the one that the fewest others have; a rule without any stands under the empty one. */
function byWord(rules: readonly NumberedRule[]): Buckets {
  const counts = new Map<string, number>()
  const wordsOf = ([, { ready }]: NumberedRule): readonly string[] => ready?.pattern?.words ?? []
  for (const word of rules.flatMap(wordsOf)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const count = (word: string): number => counts.get(word) ?? 0
  return Map.groupBy(rules, (rule) => wordsOf(rule).toSorted((a, b) => count(a) - count(b))[0] ?? '')
}

function bucketOf({ tool, kind, specifier }: PermissionRule): string {
  if (kind === 'command') return commandBucket(specifier)
  if (isFileTool(tool)) return files
  return tool.startsWith('mcp__') ? servers : tool
}

/** A rule about an argument, or with a star in its first word, could concern any command. */
function commandBucket(specifier: string): string {
  const word = /^([^\s*]+)(?=\s|:\*$|$)/.exec(specifier)?.[1]
  return word === undefined || /^\w+:(?!\*$)/.test(specifier) ? everyCommand : `Bash ${word}`
}

/** The rules that could concern a call, in their order. */
export function candidates({ buckets, files: byName }: RuleIndex, action: Action): Concerned {
  const found: NumberedRule[] = []
  const add = (rules: readonly NumberedRule[] | undefined): void => {
    if (rules !== undefined) for (const rule of rules) found.push(rule)
  }
  for (const bucket of bucketsOf(action)) add(buckets.get(bucket))
  // A glob may stand for any path.
  if (action.paths.some(({ glob }) => glob)) add(buckets.get(files))
  else if (action.paths.length > 0) for (const word of wordsIn(action)) add(byName.get(word))
  found.sort((a, b) => a[0] - b[0])
  const lists = { deny: [] as Listed[], ask: [] as Listed[], allow: [] as Listed[] }
  for (const each of found) lists[each[1].list].push(each[1])
  return lists
}

/** The words of all paths; most of these begin with the working directory. */
function wordsIn({ paths, cwd }: Action): ReadonlySet<string> {
  const words = new Set(['', ...pathWords(cwd)])
  const start = `${cwd}/`
  for (const path of paths) {
    for (const spot of spots(path))
      for (const word of pathWords(spot.startsWith(start) ? spot.slice(start.length) : spot)) words.add(word)
  }
  return words
}

function bucketsOf({ tool, commands, input }: Action): ReadonlySet<string> {
  const buckets = new Set([everyTool, tool.startsWith('mcp__') ? servers : tool])
  if (tool !== 'Bash') return buckets
  const line = input['command']
  const texts = [typeof line === 'string' ? line.trim() : '', ...commands.flatMap(({ spellings }) => spellings)]
  for (const text of texts) buckets.add(`Bash ${firstWord(text)}`)
  return buckets.add(everyCommand)
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
  const word = firstWord(specifier).replace(/:?\*$/, '')
  return word.slice(word.lastIndexOf('/') + 1)
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
