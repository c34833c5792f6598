import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import type * as Yaml from 'yaml'
import { partFrontmatter } from '../../rules/prompt/frontmatter-parts.ts'
import { isRuleFor, rulePaths } from '../../rules/prompt/rule-paths.ts'
import { isInside } from '../../rules/paths/path-inside.ts'
import { errorCode } from '../fs/error-code.ts'
import { namesIn } from '../fs/names-in.ts'
import { readPlainFile, type PlainFile } from '../fs/plain-file.ts'

/*
 * Owns how the instruction files of a project and of its user are found and read.
 *
 * 1. The nearest folder speaks first, the user's home last. Within a folder: AGENTS.md, CLAUDE.md, CLAUDE.local.md, rules.
 * 2. A file counts once, under whichever name or link it was met first. Links and `@file` lead nowhere outside of the
 *    project, or of the user's own folder.
 * 3. A rule with `paths:` is read when a file that it is for was touched; so is what stands in folders below.
 * 4. A file that cannot be read is named with its reason and hides no other one.
 */

/** Loads the reader of YAML for the first rule with a head. */
const yaml = (): typeof Yaml => createRequire(import.meta.url)('yaml') as typeof Yaml

/** Characters of one file, and of all, that a model reads. */
const [longestFile, longestInAll] = [40_000, 100_000] as const
const deepestInclude = 5

const names = ['AGENTS.md', '.agents/AGENTS.md', 'CLAUDE.md', '.claude/CLAUDE.md', 'CLAUDE.local.md'] as const
const ruleFolders = ['.claude/rules', '.agents/rules'] as const
const userRules = '.claude/rules'
const userNames = ['.troupe/AGENTS.md', '.agents/AGENTS.md', '.claude/CLAUDE.md'] as const

/** Where instructions are looked for. */
export interface InstructionPlaces {
  /** From the root of the project down to where a member works; absolute. */
  readonly folders: readonly string[]
  readonly home: string
}

/** The instructions as a model reads them, and what was left out with its reason. */
export interface Instructions {
  readonly text: string
  readonly warnings: readonly string[]
  /** The files that were read, where they really lie. */
  readonly seen: ReadonlySet<string>
}

interface Reading {
  /** The folder outside of which no file is read. */
  readonly root: string
  readonly seen: Set<string>
  readonly parts: string[]
  readonly warnings: string[]
  left: number
  /** The touched file whose instructions are read; null for those of every file. */
  readonly touched: string | null
}

/**
 * Reads what the files of a project and of its user tell every agent.
 *
 * @example readInstructions({ folders: ['/shop', '/shop/api'], home: '/home/ann' }).text
 */
export function readInstructions({ folders, home }: InstructionPlaces): Instructions {
  const state = reading(folders, null)
  for (const folder of folders.toReversed()) readFolder(state, folder)
  let left = readUserRules(state, home)
  for (const name of userNames) {
    const path = join(home, name)
    const own = { ...state, left, root: realOr(dirname(path)) }
    readOne(own, { path }, 0)
    left = own.left
  }
  return told(state)
}

/**
 * Reads what holds for one file that a member touched: the folders below the member's own, the nearest first, and rules for
 * such files.
 *
 * @param path of a file of the project, absolute
 * @param seen files that the member has read already
 */
export function readTouched({ folders, home }: InstructionPlaces, path: string, seen: readonly string[]): Instructions {
  const real = join(realOr(dirname(path)), basename(path))
  const state = reading(folders, real)
  for (const file of seen) state.seen.add(realOr(file))
  if (state.root === '' || !isInside(state.root, real)) return told(state)
  const own = new Set(folders.map(realOr))
  for (let folder = dirname(real); isInside(state.root, folder); folder = dirname(folder)) {
    if (own.has(folder)) readRules(state, folder)
    else readFolder(state, folder)
    if (folder === state.root) break
  }
  readUserRules(state, home)
  return told(state)
}

function reading([root]: readonly string[], touched: string | null): Reading {
  const real = root === undefined ? '' : realOr(root)
  return { root: real, seen: new Set<string>(), parts: [], warnings: [], left: longestInAll, touched }
}

function told({ parts, warnings, seen }: Reading): Instructions {
  return { text: [...parts, ...warnings.map((warning) => `[${warning}]`)].join('\n\n'), warnings, seen }
}

function readFolder(state: Reading, folder: string): void {
  for (const name of names) readOne(state, { path: join(folder, name) }, 0)
  readRules(state, folder)
}

/** The rules of a folder: those for every file, and, when a file was touched, those for such files. */
function readRules(state: Reading, folder: string): void {
  for (const name of ruleFolders)
    for (const rule of rulesIn(state, join(folder, name))) readOne(state, { path: rule, ruleOf: folder }, 0)
}

/** @returns the characters that are left */
function readUserRules(state: Reading, home: string): number {
  const own = { ...state, root: realOr(join(home, dirname(userRules))) }
  for (const rule of rulesIn(own, join(home, userRules))) readOne(own, { path: rule, ruleOf: state.root }, 0)
  return own.left
}

function rulesIn({ warnings }: Reading, folder: string): readonly string[] {
  try {
    return namesIn(folder)
      .filter((name) => name.endsWith('.md'))
      .toSorted()
      .map((name) => join(folder, name))
  } catch (error) {
    if (!absent(error)) warnings.push(`${folder} is left out: it cannot be listed (${errorCode(error)})`)
    return []
  }
}

/** A file by its name; `ruleOf`: the folder that it is a rule of. */
interface Named {
  readonly path: string
  readonly ruleOf?: string
}

/** Takes one file in, and the ones that it includes behind it. */
function readOne(state: Reading, { path, ruleOf }: Named, depth: number): void {
  const real = realOf(state, path)
  if (real === null || state.seen.has(real)) return
  const found = textAt(state, real, depth)
  if (ruleOf !== undefined && 'text' in found && !holds(state, found.text, ruleOf)) return
  state.seen.add(real)
  if ('reason' in found) {
    state.warnings.push(`${path} is left out: ${found.reason}`)
    return
  }
  // A checkout without links has the link's target as the text of a file.
  const isLink = /^[\w./-]+\.md$/.test(found.text)
  if (!isLink) show(state, path, found.text)
  const targets = isLink ? [found.text] : includesOf(found.text.slice(0, longestFile))
  for (const target of targets) readOne(state, { path: resolve(dirname(real), target) }, depth + 1)
}

/** Whether a rule is for what is read now: without `paths:` for every file, else for files that were touched. */
function holds({ touched }: Reading, text: string, folder: string): boolean {
  const parts = text.startsWith('---') ? partFrontmatter(text) : 'none'
  const patterns = typeof parts === 'string' ? null : rulePaths(headOf(parts.head))
  if (patterns === null) return true
  return touched !== null && isRuleFor(patterns, relative(folder, touched).split(sep).join('/'))
}

function headOf(head: readonly string[]): unknown {
  try {
    return yaml().parse(head.join('\n'), { maxAliasCount: 0 }) as unknown
  } catch {
    // A head that is no YAML names no paths.
    return null
  }
}

function textAt({ root, left }: Reading, real: string, depth: number): PlainFile {
  if (!isInside(root, real)) return { reason: 'it lies outside of its project' }
  if (depth > deepestInclude) return { reason: `it is included ${depth} files deep` }
  if (left === 0) return { reason: `all instructions have more than ${longestInAll} characters` }
  const read = readPlainFile(real)
  return 'reason' in read ? read : { text: read.text.trim() }
}

function show(state: Reading, path: string, text: string): void {
  const shown = text.slice(0, Math.min(longestFile, state.left)).replace(/[\uD800-\uDBFF]$/, '')
  state.left -= shown.length
  state.parts.push(`From ${path}:\n${shown}`)
  if (shown.length < text.length)
    state.warnings.push(`${path} is cut: ${shown.length} of its ${text.length} characters stand here`)
}

/** Where a path leads; null for one that leads nowhere, which is said of broken links to instructions alone. */
function realOf({ warnings }: Reading, path: string): string | null {
  try {
    return realpathSync.native(path)
  } catch (error) {
    if (!absent(error)) warnings.push(`${basename(path)} is left out: ${path} cannot be opened (${errorCode(error)})`)
    return null
  }
}

/** Relative paths behind an `@` at the beginning of a word, outside of code. */
function includesOf(text: string): readonly string[] {
  const prose = text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/(?<=^|\s)@((?:\.{1,2}\/)*[\w.-]+(?:\/[\w.-]+)*\.\w+)/gm)].map(([, path = '']) => path)
}

function absent(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')
}

function realOr(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}
