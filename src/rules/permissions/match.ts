import type { Action, ActionCommand, ActionPath } from './action.ts'
import { allowableSpellings, needsExactRule } from '../shell/bash-runners.ts'
import { commandTest, coversHost, coversTool, matchesText, openCommandTest, type PermissionRule } from './rule.ts'
import { scriptContent } from '../shell/walk/script-content.ts'
import { distinctPaths, isSure, spots } from './action.ts'
import { takesUnseenPatch } from './patched-files.ts'
import { ignoredBelow, keepsIgnoreFiles } from '../disk/ignored-files.ts'
import { belowThrough, targetsOf } from '../disk/link-targets.ts'
import { treesAt, type Tree } from '../disk/whole-trees.ts'
import { isInside, pathPattern, resolveFrom, type PathPattern, type Places } from '../paths/path-inside.ts'
import { commandName, unwrapped } from '../shell/bash-wrappers.ts'
import { onlyTests } from '../shell/bash-places.ts'
import { onlyReads, scriptOf, unseenFiles } from '../shell/bash-reads.ts'
import { kindsFormatted } from '../shell/changed-trees.ts'
import { foundRuns } from '../shell/found-runs.ts'
import { alsoShowsFiles, opens, type Below } from '../shell/reach.ts'

/** A rule made ready to be compared with many calls. */
export interface ReadyRule {
  readonly rule: PermissionRule
  readonly pattern: PathPattern | null
  /** Of a rule for shell commands: whether it covers one, as it is spelled. */
  covers(command: string): boolean
  /** Of the same: whether it may cover a text with marks for what is not known. */
  mayCover(text: string): boolean
  /** `model:opus` in `Agent(model:opus)`. */
  readonly argument: { readonly name: string; readonly value: string } | null
}

/**
 * Prepares a parsed rule; the same one may serve any number of calls.
 *
 * @param anchor What a path's leading `/` means when it is not the project's root: where the rule's file lies.
 */
export function readyRule(rule: PermissionRule, wide: boolean, anchor?: string): ReadyRule {
  const { kind, specifier } = rule
  return {
    rule,
    pattern: kind === 'path' ? pathPattern(specifier, wide, anchor) : null,
    covers: kind === 'command' ? commandTest(specifier) : coversNothing,
    mayCover: kind === 'command' ? openCommandTest(specifier) : coversNothing,
    argument: kind === 'path' ? null : argumentOf(specifier),
  }
}

const coversNothing = (): boolean => false

function argumentOf(specifier: string): ReadyRule['argument'] {
  const [, name, value = ''] = /^(\w+):(.*)$/s.exec(specifier) ?? []
  return name === undefined || ownRules.has(name) ? null : { name, value }
}

/**
 * Looks in a call for what a deny or ask rule speaks of: any command of a line, any path however spelled, the path
 * behind a symlink, an argument of a shell command that may be a file.
 *
 * @returns The text or path that matched, or null.
 */
export function forbids(ready: ReadyRule, action: Action, places: Places): string | null {
  const { rule } = ready
  if (rule.kind === 'path') return action.paths.find((path) => touches(ready, path, { action, places }))?.path ?? null
  if (!coversTool(rule, action.tool)) return null
  if (rule.kind === 'tool') return action.tool
  if (rule.kind === 'domain') return action.hosts.find((host) => coversHost(rule.specifier, host)) ?? null
  if (namesArgument(ready, action)) return rule.specifier
  if (rule.kind === 'value') return null
  return action.commands.find(({ spellings }) => spellings.some(ready.covers))?.text ?? null
}

function touches(ready: ReadyRule, found: ActionPath, call: { action: Action; places: Places }): boolean {
  const { rule, pattern } = ready
  if (pattern === null) return false
  const tool = toolOf(found, call.action.tool)
  // A rule against reading also forbids changes: an edit shows the old text.
  if (!coversTool(rule, tool) && rule.tool !== 'Read') return false
  const { glob, path, access, command } = found
  const meant =
    spots(found).some((spot) => pattern.matches(spot, call.places)) ||
    (glob !== undefined && pattern.mayMatch(path, call.places))
  // `[ -f .env ]` reads nothing of the file.
  return meant && !(rule.tool === 'Read' && access === 'read' && onlyTests(call.action.commands[command ?? -1]))
}

/** A shell reads and writes files too, and so do foreign tools: their paths answer to Read and Edit rules. */
function toolOf(found: ActionPath, tool: string): string {
  if (found.of === 'tool' && !tool.startsWith('mcp__')) return tool
  return found.access === 'edit' ? 'Edit' : 'Read'
}

/**
 * A test for allow rules: whether they permit one command of a shell line.
 *
 * @param isForeign Says whether it would work in a repository that may be configured to run anything.
 */
export function commandPermit(
  command: ActionCommand,
  action: Action,
  isForeign: () => boolean,
): (ready: ReadyRule) => boolean {
  let texts: readonly string[] | undefined
  let exact: boolean | undefined
  const isExact = (): boolean =>
    needsExactRule(command) || (commandName(unwrapped(command.words)) === 'git' && isForeign())
  return ({ rule, covers }) => {
    if (rule.tool !== 'Bash') return false
    if (rule.sha256 !== undefined && scriptContent(command, action)?.sha256 !== rule.sha256) return false
    if (rule.kind === 'tool' || permitsLine(rule, action)) return true
    texts ??= allowableSpellings(command)
    if (rule.specifier.includes('*')) return texts.some(covers) && !(exact ??= isExact())
    return texts.some(covers) || (texts.length > 0 && covers(command.text))
  }
}

/** A rule that names a whole line word for word permits just that line, whatever commands it holds. */
export function permitsLine(rule: PermissionRule, action: Action): boolean {
  const line = action.input['command']
  if (rule.kind !== 'command' || rule.sha256 !== undefined || typeof line !== 'string') return false
  return line.trim() === rule.specifier
}

/** Says whether an allow rule permits one file access of `tool`; a resolved symlink must be covered as well. */
export function permitsPath(ready: ReadyRule, found: ActionPath, call: { tool: string; places: Places }): boolean {
  const tool = toolOf(found, call.tool)
  if (!coversTool(ready.rule, tool) || ready.rule.tool === '*') return false
  if (ready.rule.kind === 'tool') return true
  const { pattern } = ready
  return pattern !== null && isSure(found) && spots(found).every((spot) => pattern.matches(spot, call.places))
}

/** Says whether an allow rule permits a call that has neither files nor commands to judge. */
export function permitsCall(ready: ReadyRule, action: Action): boolean {
  const { rule } = ready
  if (rule.tool === '*' || !coversTool(rule, action.tool)) return false
  if (rule.kind === 'domain')
    return action.hosts.length > 0 && action.hosts.every((host) => coversHost(rule.specifier, host))
  return rule.kind === 'tool' || namesArgument(ready, action)
}

/** Arguments that rules of another kind speak of. */
const ownRules = new Set(['command', 'file_path', 'notebook_path', 'path', 'url'])

/** `Bash(run_in_background:true)`, `Agent(model:opus)`, `Agent(Explore)`. */
function namesArgument({ rule, argument }: ReadyRule, { input }: Action): boolean {
  if (argument !== null && Object.hasOwn(input, argument.name)) {
    const value = input[argument.name]
    const scalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    return scalar && matchesText(argument.value, String(value))
  }
  if (rule.kind !== 'value') return false
  // `Skill(deploy *)` and `Skill(deploy:*)` speak of it with whatever arguments.
  if (rule.tool === 'Skill') return input['skill'] === rule.specifier.replace(/(:| )\*$/, '')
  return (input['subagent_type'] ?? input['name']) === rule.specifier
}

/** Why rules about files cannot be sure of a shell line. */
export interface FileDoubts {
  /** Commands that read, or change, files whose names only a running shell knows. */
  readonly reads: ActionCommand | undefined
  readonly edits: ActionCommand | undefined
  readonly vague: ActionPath | undefined
  /** Directories that are read or changed as a whole. */
  readonly below: readonly ActionPath[]
  /** Files that are given to programs which are not known to read them only. */
  readonly given: readonly ActionPath[]
  /** The names of these, in small letters. */
  readonly givenNames: string
  /** The directories of all these that are gone through. */
  readonly trees: ReadonlyMap<ActionPath, readonly Tree[]>
  /** Some command hands files to git. */
  readonly staged: boolean
}

/** The doubts about the files of a call; null when there are none. */
export function fileDoubts(action: Action, { root }: Places): FileDoubts | null {
  const { tool, commands, paths, disk } = action
  if (tool !== 'Bash') return null
  // A patch may copy a file.
  const unseen = commands.map(unseenFiles)
  const reads = commands.find((command, at) => unseen[at]?.reads === true || takesUnseenPatch(command, commands))
  const edits = commands.find((_, at) => unseen[at]?.edits === true)
  const vague = paths.find((found) => found.vague === true && found.loose !== true)
  const below = distinctPaths(paths.filter((found) => found.below !== undefined)).filter(
    (found) => !isEmptyBelow(found, action),
  )
  const given = givenFiles(action).map((path) => asTree(path, action))
  const none =
    reads === undefined && edits === undefined && vague === undefined && below.length === 0 && given.length === 0
  if (none) return null
  let names = ''
  for (const { path, resolved = path } of given) names += `${path}\n${resolved}\n`
  const trees = new Map<ActionPath, readonly Tree[]>()
  for (const path of [...below, ...given])
    if (path.below !== undefined) trees.set(path, treesAt(spots(path), path.below, { disk, root }))
  const staged = commands.some(alsoShowsFiles)
  return { reads, edits, vague, below, given, givenNames: names.toLowerCase(), trees, staged }
}

/** The files that commands get to read which may do anything with them. */
export function givenFiles({ commands, paths }: Action): readonly ActionPath[] {
  // Commands that find and xargs run stand there by themselves.
  const unknown = commands.map((command) => !onlyReads(command.words) && foundRuns(command).length === 0)
  return paths.filter(({ of, access, command = -1, told, path }) => {
    if (of !== 'operand' || access === 'edit') return false
    if (told === true || unknown[command] !== true) return told === true
    const script = scriptOf(commands[command]?.words ?? [])
    return script === undefined || !path.endsWith(resolveFrom('/', '/', script))
  })
}

/** The doubts are about files by their names: only a rule that could name one of them has to be asked. */
export function isAboutNames({ reads, edits, vague, below, given }: FileDoubts): boolean {
  const unknown = reads ?? edits ?? vague
  return unknown === undefined && below.length === 0 && given.every((path) => path.below === undefined)
}

const project: Below = { hidden: true, only: [], except: ['node_modules', '.git'] }

/** A directory, or a pattern in quotes, that a program may go through. */
function asTree(found: ActionPath, { disk, commands }: Action): ActionPath {
  if (found.below !== undefined || found.vague === true || disk?.entries === undefined) return found
  const path = (found.resolved ?? found.path).replace(/\/(?:\.\.\.|[^/\s()*]*\*[^\s()]*)$/, '') || '/'
  const real = disk(path)
  if (disk.kindAt(real) !== 'directory') return found
  const kinds = kindsFormatted(commands[found.command ?? -1]?.words ?? [])
  return { ...found, path: real, resolved: real, below: { ...project, kinds } }
}

/**
 * Why a path rule that forbids cannot be sure about a shell line: files below a directory that is read as a whole, names
 * that only a running shell knows, a program that may do anything with its files. Null when there is no doubt.
 */
export function doubts(
  { rule, pattern }: ReadyRule,
  found: FileDoubts,
  { action, places }: { readonly action: Action; readonly places: Places },
): string | null {
  if (pattern === null) return null
  const isWhole = /\*$|\/$/.test(rule.specifier)
  const judged = (tree: Tree): Tree => (isWhole ? { ...tree, below: { ...tree.below, kinds: [] } } : tree)
  const lie = (path: ActionPath): boolean =>
    found.trees.get(path)?.some((tree) => lieBelow(pattern, judged(tree), { action, places, staged: found.staged })) ===
    true
  const changes = rule.tool !== 'Read'
  const unknown = changes ? found.edits : found.reads
  if (unknown !== undefined) return `which files ${unknown.text} touches is only known when it runs`
  if (found.vague !== undefined) return `where ${found.vague.path} leads is only known when it runs`
  const whole = found.below.find(
    (path) => (changes ? path.access === 'edit' : path.below?.changes !== true) && lie(path),
  )
  if (whole !== undefined) return `files below ${whole.path} are ${changes ? 'changed' : 'read'} as well`
  if (!changes) return null
  const named = found.givenNames.includes(pattern.sure)
  const given = found.given.find(
    (path) => (named && spots(path).some((spot) => pattern.matches(spot, places))) || lie(path),
  )
  if (given === undefined) return null
  return `nobody knows what ${action.commands[given.command ?? 0]?.text ?? ''} does with ${given.path}`
}

function isEmptyBelow(found: ActionPath, { disk }: Action): boolean {
  if (disk?.entries === undefined || found.below?.history === true) return false
  return spots(found).every((spot) => disk.below(spot, found.below?.except)?.length === 0)
}

function lieBelow(
  pattern: PathPattern,
  { below, spot, copy }: Tree,
  { action, places, staged: hands }: { readonly action: Action; readonly places: Places; readonly staged: boolean },
): boolean {
  const { disk } = action
  if (below.links === undefined && !copy && !pattern.mayLieBelow(spot, below, places)) return false
  const held = below.history === true ? disk?.history?.(spot) : disk?.below(spot, below.except)
  const staged = below.history === true && hands ? disk?.below(spot, ['.git']) : []
  if (held === null || held === undefined || staged === null || staged === undefined) return true
  const names = [...held, ...staged]
  const leftOut =
    below.ignoring === true && disk !== undefined && keepsIgnoreFiles(action) ? ignoredBelow(spot, disk) : null
  const copied = (path: string): boolean => copy && pattern.matches(`${places.root}${path.slice(spot.length)}`, places)
  const named = (path: string): boolean =>
    path.toLowerCase().includes(pattern.sure) &&
    isInside(spot, path) &&
    opens(below, path.slice(spot.length)) &&
    (pattern.matches(path, places) || copied(path)) &&
    leftOut?.(path) !== true
  if (names.some(named)) return true
  if (below.links === undefined || disk === undefined) return false
  const isLed = (led: readonly (string | null)[] | null): boolean =>
    led === null || led.some((path) => path === null || pattern.matches(path, places))
  if (below.links === 'through') return isLed(belowThrough(spot, disk))
  if (!isLed(targetsOf(held, disk))) return false
  // A link of another name is not among those that are read.
  const opened = (path: string): boolean => isInside(spot, path) && opens(below, path.slice(spot.length))
  return below.only.length === 0 || isLed(targetsOf([...held].filter(opened), disk))
}
