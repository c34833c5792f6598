import { readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { errorCode } from '../fs/error-code.ts'
import { readSkill, type SkillFolder, type SkillRead } from './read-skill.ts'

/** Folders of one place that are looked at. */
const mostFolders = 1_000

/** The folders in a folder, links included, in order of their names; hidden ones are other programs' business. */
export interface Subfolders {
  readonly names: readonly string[]
  /** Why it cannot be listed; null where nothing is wrong, or nothing there. */
  readonly trouble: string | null
}

/** Lists the folders in which skills may be: `subfolders('/shop/.claude/skills').names`. */
export function subfolders(dir: string): Subfolders {
  try {
    const names = readdirSync(dir, { withFileTypes: true })
      .filter((entry) => !entry.name.startsWith('.') && (entry.isDirectory() || entry.isSymbolicLink()))
      .map(({ name }) => name)
      .toSorted()
    const trouble =
      names.length > mostFolders ? `only the first ${mostFolders} of its ${names.length} folders are read` : null
    return { names: names.slice(0, mostFolders), trouble }
  } catch (error) {
    const code = errorCode(error) ?? 'unknown'
    return { names: [], trouble: ['ENOENT', 'ENOTDIR'].includes(code) ? null : `it cannot be listed (${code})` }
  }
}

/** Commands of one place that are looked at, and how deep their folders go. */
const [mostCommands, deepestCommand] = [1_000, 4] as const

/** The markdown files in a folder and the folders in it, relative, in order of their names. */
export function commandFiles(dir: string): readonly string[] {
  const found: string[] = []
  const walk = (within: string, depth: number): void => {
    const { names } = subfolders(join(dir, within))
    for (const { name } of entriesOf(join(dir, within))) {
      const path = join(within, name)
      if (name.endsWith('.md') && found.length < mostCommands) found.push(path)
      else if (names.includes(name) && depth < deepestCommand) walk(path, depth + 1)
    }
  }
  walk('', 1)
  return found
}

/** Where a folder really lies; a link that leads nowhere stands for itself. */
export function realFolder(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

/** Whether a folder holds a SKILL.md. */
export function holdsSkill(folder: string): boolean {
  return stampOf(folder) !== null
}

type Head = Pick<SkillRead, 'skill' | 'diagnostics'>

const heads = new Map<string, { readonly stamp: string; readonly shown: string; readonly head: Head }>()

/** The head of a skill. Heads are looked at before every question, so that a file is read again only when it has changed. */
export function skillHead(folder: SkillFolder): Head {
  const key = `${folder.root ?? ''} ${folder.path}`
  const stamp = folder.kind === 'command' ? stampOfFile(folder.path) : stampOf(folder.path)
  const known = heads.get(key)
  if (stamp !== null && known?.stamp === stamp && known.shown === folder.shown) return known.head
  const { skill, diagnostics } = readSkill(folder)
  if (stamp !== null) heads.set(key, { stamp, shown: folder.shown, head: { skill, diagnostics } })
  return { skill, diagnostics }
}

function stampOf(folder: string): string | null {
  return stampOfFile(join(folder, 'SKILL.md')) ?? stampOfFile(join(folder, 'skill.md'))
}

function stampOfFile(file: string): string | null {
  const state = lookAt(file)
  if (state === undefined) return null
  return `${basename(file)} ${state.dev} ${state.ino} ${state.size} ${state.mtimeMs} ${state.ctimeMs}`
}

function lookAt(file: string) {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** Files of a skill that are named to a model, and how deep they may lie. */
const [mostFiles, deepest] = [100, 4] as const

/** The files of a skill beside its SKILL.md, relative to its folder; no link is followed. */
export function skillFiles(folder: string): readonly string[] {
  const found: string[] = []
  const walk = (dir: string, depth: number): void => {
    for (const entry of entriesOf(join(folder, dir))) {
      if (found.length >= mostFiles) return
      const path = join(dir, entry.name)
      if (entry.isDirectory() && depth < deepest && entry.name !== 'node_modules') walk(path, depth + 1)
      else if (entry.isFile() && !/^skill\.md$/i.test(path)) found.push(path)
    }
  }
  walk('', 1)
  return found
}

function entriesOf(dir: string) {
  try {
    const entries = readdirSync(dir, { withFileTypes: true }).filter(({ name }) => !name.startsWith('.'))
    return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}
