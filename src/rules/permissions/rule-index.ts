import type { Behavior, PermissionSource, RuleOrigin } from '../../protocol/permissions/permission.ts'
import { firstWord, firstWords } from '../shell/bash-runners.ts'
import type { Action } from './analyse.ts'
import { readyRule, type ReadyRule } from './match.ts'
import { allowProblem, parseRule, toolsNamedBy } from './rule.ts'

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

/** Numbers of rules, found again by what a call must have for them to concern it. */
type Found = Map<string, number[]>

/** Rules of any lists, found again by what they could speak of. */
export interface RuleIndex {
  readonly rules: readonly Listed[]
  readonly tools: Found
  /** The first words of commands. */
  readonly words: Found
  /** Whole segments of paths, in small letters. */
  readonly parts: Found
  readonly hosts: Found
  /** Path rules that know no whole segment, by letters in a row that a path must hold. */
  readonly hinted: ReadonlyMap<number, readonly number[]>
  /** Path rules that any path could concern. */
  readonly anyPath: readonly number[]
  readonly paths: readonly number[]
  /** What the directories met so far contribute. */
  readonly directories: Map<string, readonly number[]>
  /** Rules that any call could concern. */
  readonly rest: readonly number[]
}

export interface RuleList {
  readonly source: PermissionSource
  readonly list: Behavior
  readonly texts: readonly string[]
  readonly origins?: readonly RuleOrigin[] | undefined
  /** Says why a usable rule is not in force now. */
  readonly without?: (rule: ReadyRule['rule']) => string | null
}

/** Reads and prepares the rules of one list. */
export function readyRules(list: RuleList): readonly Listed[] {
  return list.texts.map((text, i) => listed(text, list, list.origins?.[i]))
}

/** Sorts rules once, so that a call is only compared with those that could concern it. */
export function indexRules(rules: readonly Listed[]): RuleIndex {
  const index = { tools: new Map(), words: new Map(), parts: new Map(), hosts: new Map() }
  const numbers = { hinted: new Map<number, number[]>(), anyPath: [], paths: [], rest: [], directories: new Map() }
  const whole = { rules, ...index, ...numbers }
  for (const [i, { ready }] of rules.entries()) if (ready !== null) file(ready, i, whole)
  return whole
}

interface Filing extends RuleIndex {
  readonly hinted: Map<number, number[]>
  readonly anyPath: number[]
  readonly paths: number[]
  readonly rest: number[]
}

function file({ rule }: ReadyRule, at: number, index: Filing): void {
  if (rule.kind === 'path') {
    filePath(rule.specifier, at, index)
    return
  }
  const { words, hosts, tools } = index
  const others = rule.kind === 'domain' ? hosts : tools
  const keys = keysOf(rule)
  if (keys.length === 0) index.rest.push(at)
  for (const key of keys) put(rule.kind === 'command' ? words : others, key, at)
}

/** What a call must have for the rule to concern it; none when that cannot be said in one word. */
function keysOf(rule: ReadyRule['rule']): readonly string[] {
  const { kind, specifier, tool } = rule
  if (kind === 'command') {
    const word = /^([^\s*]+)(?=\s|:\*$|$)/.exec(specifier)?.[1]
    return word === undefined || /^\w+:(?!\*$)/.test(specifier) ? [] : [word]
  }
  if (kind === 'domain') return specifier.includes('*') ? [] : [specifier]
  return tool.startsWith('mcp__') || tool === '*' ? [] : toolsNamedBy(rule)
}

function filePath(specifier: string, at: number, index: Filing): void {
  index.paths.push(at)
  const literal = specifier.split('/').filter((part) => /^[\w.@%+=,-]*\w[\w.@%+=,-]*$/.test(part))
  const longest = literal.toSorted((a, b) => b.length - a.length)[0]
  const hint = hintOf(specifier)
  if (longest !== undefined) put(index.parts, longest.toLowerCase(), at)
  else if (hint !== null) put(index.hinted, hint, at)
  else index.anyPath.push(at)
}

function put<K>(index: Map<K, number[]>, key: K, at: number): void {
  const found = index.get(key)
  if (found === undefined) index.set(key, [at])
  else found.push(at)
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

/** Letters in a row that an index looks for, and the number that the latest so many letters make. */
const run = 4
const runOf = (before: number, letter: number): number => ((before << 7) | (letter & 127)) & 0xfffffff

/** A few letters that every path which a pattern covers must hold; null when there are none. */
function hintOf(specifier: string): number | null {
  const name = specifier.slice(specifier.lastIndexOf('/') + 1)
  if (/[\\[\]{}()!]|[^\0-\x7f]/.test(name) || name === '' || name === '**') return null
  const parts = name.split(/[*?]+/).map((part) => part.toLowerCase().trim())
  const longest = parts.toSorted((x, y) => y.length - x.length)[0] ?? ''
  if (longest.length < run) return null
  return Array.from(longest.slice(0, run), (letter) => letter.charCodeAt(0)).reduce(
    (before, letter) => runOf(before, letter),
    0,
  )
}

/** The rules of each list that could concern a call, in their order. */
export function candidates(index: RuleIndex, action: Action): Concerned {
  const found = [...index.rest]
  const add = (more: readonly number[] | undefined): void => {
    if (more !== undefined) for (const at of more) found.push(at)
  }
  const { tool } = action
  add(index.tools.get(tool))
  if (tool === 'Bash') addBash(action, index, add)
  for (const host of action.hosts) add(index.hosts.get(host))
  if (index.paths.length > 0) addPaths(action, index, add)
  return found.length === 0 ? nobody : inOrder(found, index)
}

/** Rules that could concern a call. */
export type Concerned = Readonly<Record<Behavior, readonly Listed[]>>

const nobody: Concerned = { deny: [], ask: [], allow: [] }

type Add = (more: readonly number[] | undefined) => void

function addBash(action: Action, index: RuleIndex, add: Add): void {
  if (action.paths.length > 0) {
    add(index.tools.get('Read'))
    add(index.tools.get('Edit'))
  }
  if (index.words.size === 0) return
  const line = action.input['command']
  const words = typeof line === 'string' ? [firstWord(line.trim())] : []
  for (const command of action.commands) {
    for (const word of firstWords(command)) if (!words.includes(word)) words.push(word)
  }
  for (const word of words) add(index.words.get(word))
}

function addPaths(action: Action, index: RuleIndex, add: Add): void {
  if (action.paths.length === 0) return
  add(index.anyPath)
  for (const path of action.paths) {
    if (path.glob === true) add(index.paths)
    addPath(path.path, index, add)
    if (path.resolved !== undefined && path.resolved !== path.path) addPath(path.resolved, index, add)
  }
}

/** More directories than this are looked up anew. */
const mostDirectories = 4_096

/** Calls come to the same directories again and again: their share of a path is looked up once. */
function addPath(path: string, index: RuleIndex, add: Add): void {
  const end = path.lastIndexOf('/')
  const directory = path.slice(0, end)
  let known = index.directories.get(directory)
  if (known === undefined) {
    const found: number[] = []
    for (const part of directory.toLowerCase().split('/')) addPart(part, index, (more = []) => void found.push(...more))
    if (index.directories.size >= mostDirectories) index.directories.clear()
    known = found
    index.directories.set(directory, known)
  }
  add(known)
  addPart(path.slice(end + 1).toLowerCase(), index, add)
}

function addPart(part: string, index: RuleIndex, add: Add): void {
  add(index.parts.get(part))
  if (index.hinted.size === 0) return
  let number = 0
  for (let at = 0; at < part.length; at += 1) {
    number = runOf(number, part.charCodeAt(at))
    if (at >= run - 1) add(index.hinted.get(number))
  }
}

function inOrder(found: number[], { rules }: RuleIndex): Concerned {
  inPlace(found)
  const lists: Record<Behavior, Listed[]> = { deny: [], ask: [], allow: [] }
  let last = -1
  for (const at of found) {
    const rule = at === last ? undefined : rules[at]
    if (rule !== undefined) lists[rule.list].push(rule)
    last = at
  }
  return lists
}

/** They come in a few runs that are in order already, which is what this is quick at. */
function inPlace(numbers: number[]): void {
  if (numbers.length > 64) {
    numbers.sort((a, b) => a - b)
    return
  }
  for (let at = 1; at < numbers.length; at += 1) {
    const number = numbers[at] ?? 0
    let to = at
    for (; to > 0 && (numbers[to - 1] ?? 0) > number; to -= 1) numbers[to] = numbers[to - 1] ?? 0
    numbers[to] = number
  }
}
