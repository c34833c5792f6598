import {
  type Behavior,
  type PermissionSource,
  type RuleOrigin,
  permissionSources,
  type Policy,
  type PermissionMode,
} from '../../protocol/permissions/permission.ts'
import { firstWord } from '../shell/bash-runners.ts'
import type { Action } from './action.ts'
import { spots } from './action.ts'
import { readyRule, type ReadyRule } from './match.ts'
import { allowProblem, isFileTool, parseRule, type PermissionRule } from './rule.ts'

/** A rule of one list of one source, or why it cannot be used. */
export interface Listed {
  readonly source: PermissionSource
  readonly list: Behavior
  readonly text: string
  /** `file:line`, when it stands in a file. */
  readonly place: { readonly at?: string }
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

function listed(text: string, of: RuleList, origin: RuleOrigin | undefined): Listed {
  const { source, list, without } = of
  const wide = list !== 'allow'
  const rule = parseRule(text)
  const shared = { source, list, text, place: origin === undefined ? {} : { at: origin.at } }
  if ('error' in rule) return { ...shared, ready: null, problem: rule.error }
  const problem = (wide ? null : allowProblem(rule)) ?? without?.(rule) ?? null
  if (problem !== null) return { ...shared, ready: null, problem }
  return { ...shared, ready: readyRule(rule, wide, origin?.root) }
}

/** Usable rules with their numbers, in buckets by tool; those about shell commands by the command's first word. */
export type RuleIndex = ReadonlyMap<string, readonly NumberedRule[]>

type NumberedRule = readonly [number: number, rule: Listed]

/** Rules that could concern a call, by list. */
export type Concerned = Partial<Record<Behavior, readonly Listed[]>>

const files = '(files)'
const servers = '(mcp)'
const everyTool = '*'
const everyCommand = '(command)'
const unusable = '(unusable)'

/** Sorts rules once, so that a call is only compared with those that could concern it. */
export function indexRules(rules: readonly Listed[]): RuleIndex {
  const numbered = [...rules.entries()]
  return Map.groupBy(numbered, ([, { ready }]) => (ready === null ? unusable : bucketOf(ready.rule)))
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
export function candidates(index: RuleIndex, action: Action): Concerned {
  const aboutFiles = (index.get(files) ?? []).filter(mayName(action))
  const found = [...bucketsOf(action)].flatMap((bucket) => index.get(bucket) ?? []).concat(aboutFiles)
  const inOrder = found.toSorted(([a], [b]) => a - b).map(([, rule]) => rule)
  return Object.groupBy(inOrder, ({ list }) => list)
}

/** A test for rules about files: whether one could name a path of the call. A glob may be any path. */
function mayName({ paths }: Action): (entry: NumberedRule) => boolean {
  if (paths.some(({ glob }) => glob)) return () => true
  const texts = paths.flatMap(spots).join('\n').toLowerCase()
  return ([, { ready }]) => texts.includes(ready?.pattern?.sure ?? '')
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
