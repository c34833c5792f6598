import { resolveFrom } from '../paths/path-inside.ts'
import { commandName, unwrapped } from '../shell/bash-wrappers.ts'
import type { Action, ActionCommand } from './action.ts'
import type { Looking } from './disk.ts'

const renaming = /^(ln|cp|mv|install|alias|hash)$/

/**
 * The programs to which a command gives another name: `cp /bin/rm x`, `alias q=rm`.
 *
 * @returns Paths and names as written, and as the value behind `=`; directories are left out.
 */
export function renamedPrograms({ words, directories }: ActionCommand, action: Action): readonly string[] {
  const { cwd, home, disk } = action
  const inner = unwrapped(words)
  if (!renaming.test(commandName(inner))) return []
  const isProgram = (path: string): boolean =>
    (directories ?? [cwd]).every((from) => disk?.kindAt(resolveFrom(from, home, path)) !== 'directory')
  return inner.slice(1).flatMap(({ value, text }) => {
    const [name = ''] = (value ?? text).replace(/^\w+=/, '').trim().split(/\s/, 1)
    return name !== '' && !name.startsWith('-') && isProgram(name) ? [name] : []
  })
}

/** A command with the spelling under which a rule knows the file that its name links to: `./z` where z leads to `bin/rm`. */
export function withLinkedName(command: ActionCommand, { cwd, home }: Action, disk: Looking): ActionCommand {
  const [first, ...rest] = unwrapped(command.words)
  const name = first?.value
  if (name?.includes('/') !== true) return command
  const linked = (command.directories ?? [cwd]).flatMap((from) => {
    const path = resolveFrom(from, home, name)
    const end = whereItLeads(path, disk)
    return end === path ? [] : [end.slice(end.lastIndexOf('/') + 1)]
  })
  if (linked.length === 0) return command
  const more = linked.map((each) => [each, ...rest.map(({ value, text }) => value ?? text)].join(' '))
  return { ...command, spellings: [...command.spellings, ...more] }
}

/** The path with its links followed; itself where they form a circle. */
export function whereItLeads(path: string, disk: Looking): string {
  try {
    return disk(path)
  } catch {
    return path
  }
}
