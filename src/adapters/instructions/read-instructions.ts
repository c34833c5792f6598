import { realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
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
 * 3. A file that cannot be read is named with its reason and hides no other one.
 */

/** Characters of one file, and of all, that a model reads. */
const [longestFile, longestInAll] = [40_000, 100_000] as const
const deepestInclude = 5

const names = ['AGENTS.md', '.agents/AGENTS.md', 'CLAUDE.md', '.claude/CLAUDE.md', 'CLAUDE.local.md'] as const
const ruleFolders = ['.claude/rules', '.agents/rules'] as const
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
}

interface Reading {
  /** The folder outside of which no file is read. */
  readonly root: string
  readonly seen: Set<string>
  readonly parts: string[]
  readonly warnings: string[]
  left: number
}

/**
 * Reads what the files of a project and of its user tell every agent.
 *
 * @example readInstructions({ folders: ['/shop', '/shop/api'], home: '/home/ann' }).text
 */
export function readInstructions({ folders, home }: InstructionPlaces): Instructions {
  const shared = { seen: new Set<string>(), parts: [], warnings: [], left: longestInAll }
  const root = folders[0]
  let state: Reading = { ...shared, root: root === undefined ? '' : realOr(root) }
  for (const folder of folders.toReversed()) {
    for (const name of names) readOne(state, join(folder, name), 0)
    for (const name of ruleFolders) for (const rule of rulesIn(state, join(folder, name))) readOne(state, rule, 0)
  }
  for (const name of userNames) {
    const path = join(home, name)
    state = { ...state, root: realOr(dirname(path)) }
    readOne(state, path, 0)
  }
  const { parts, warnings } = state
  return { text: [...parts, ...warnings.map((warning) => `[${warning}]`)].join('\n\n'), warnings }
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

/** Takes one file in, and the ones that it includes behind it. */
function readOne(state: Reading, path: string, depth: number): void {
  const real = realOf(state, path)
  if (real === null || state.seen.has(real)) return
  state.seen.add(real)
  const found = textAt(state, real, depth)
  if ('reason' in found) {
    state.warnings.push(`${path} is left out: ${found.reason}`)
    return
  }
  // A checkout without links has the link's target as the text of a file.
  const isLink = /^[\w./-]+\.md$/.test(found.text)
  if (!isLink) show(state, path, found.text)
  const targets = isLink ? [found.text] : includesOf(found.text.slice(0, longestFile))
  for (const target of targets) readOne(state, resolve(dirname(real), target), depth + 1)
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
    return realpathSync(path)
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
    return realpathSync(path)
  } catch {
    return path
  }
}
