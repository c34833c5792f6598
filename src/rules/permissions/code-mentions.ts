import { resolveFrom, type Places } from '../paths/path-inside.ts'
import { namesInTexts } from '../shell/fed-paths.ts'
import { isPattern } from '../shell/code/code-words.ts'
import { codeFiles, listFiles } from '../shell/walk/code-files.ts'
import type { Action, ActionCommand, ActionPath } from './action.ts'
import type { Looking } from '../disk/disk.ts'
import type { ReadyRule } from './match.ts'
import { withPatched } from './patched-files.ts'

/** A file on a command's line, and what it holds. */
interface HeldText {
  readonly path: string
  /** The directory in which the command runs: names in the text begin there. */
  readonly from: string
  readonly text: string
}

/** The texts of some files as the command finds them; files that are long, or not there, have none. */
function textsOf(names: readonly string[], command: ActionCommand, { cwd, home, disk }: Action): readonly HeldText[] {
  const found: HeldText[] = []
  for (const from of command.directories ?? [cwd]) {
    for (const name of names) {
      const path = resolveFrom(from, home, name)
      const text = disk?.text?.(path) ?? null
      if (text !== null) found.push({ path, from, text })
    }
  }
  return found
}

/** The texts of files that the command's program may take as code. */
export function codeOf(command: ActionCommand, action: Action): readonly HeldText[] {
  return textsOf(codeFiles(command.words), command, action)
}

/** Adds the files that texts name of which a line says how they are read: lists and patches. */
export function withNamed(action: Action, disk: Looking): Action {
  const listed = namedInLists(action, disk)
  return withPatched(listed.length === 0 ? action : { ...action, paths: [...action.paths, ...listed] }, disk)
}

/** The files that are named in lists on the line: `strings @list.txt`. */
function namedInLists(action: Action, disk: Looking): readonly ActionPath[] {
  const { cwd, home } = action
  return action.commands.flatMap((command, index) => {
    const lists = listFiles(command.words)
    if (lists.length === 0) return []
    const texts = textsOf(lists, command, { ...action, disk })
    return namesInTexts(texts.map(({ text }) => text)).flatMap((name) =>
      (command.directories ?? [cwd]).map((from): ActionPath => {
        const glob = isPattern(name) ? { glob: name } : {}
        const path = resolveFrom(from, home, name)
        return { path, access: 'read', of: 'operand', command: index, loose: true, ...glob }
      }),
    )
  })
}

/** A text names a file that a rule keeps from being read. Names of files to change are in all code that builds a project. */
export function mentions(
  { rule, pattern }: ReadyRule,
  text: string,
  { from, places }: { readonly from: string; readonly places: Places },
): boolean {
  if (rule.tool !== 'Read' || pattern === null || !text.toLowerCase().includes(pattern.sure)) return false
  return namesInTexts([text]).some((name) => pattern.matches(resolveFrom(from, places.home, name), places))
}
