import { resolveFrom } from '../paths/path-inside.ts'
import { commandName, unwrapped } from '../shell/bash-wrappers.ts'
import { isOpaque, namesInPatch } from '../shell/code/patch-text.ts'
import { patchCalls, type PatchCall } from '../shell/walk/patch-calls.ts'
import { isReadOnlyCommand } from '../shell/read-only-commands.ts'
import type { Action, ActionCommand, ActionPath } from './action.ts'
import { globbed } from '../disk/disk-globs.ts'
import type { Looking } from '../disk/disk.ts'
import { repositoryOf } from '../disk/repositories.ts'
import { whereItLeads } from './new-links.ts'

/** With more names than these a line is not judged; more files than these are not looked into for one command. */
const mostNames = 2_000
const mostFiles = 16

/**
 * Adds the files that patches on the line change, and marks the commands of which all such files are known.
 *
 * @example `git apply x.patch`, where x.patch says `+++ b/src/a.ts`: `src/a.ts` is changed
 */
export function withPatched(action: Action, disk: Looking): Action {
  const calls = action.commands.map(({ words }) => patchCalls(words))
  if (calls.every((each) => each.length === 0)) return action
  const found = action.commands.map((command, index) =>
    (calls[index] ?? []).map((call) => patched({ call, command, index, action, disk })),
  )
  const paths = found.flat().flatMap((each) => each.paths)
  if (paths.length > mostNames) return { ...action, unparsable: 'a patch names too much to look at', unseen: true }
  const commands = action.commands.map((command, index) => {
    const [only, ...others] = found[index] ?? []
    return only?.isWhole === true && others.length === 0 ? { ...command, patched: true as const } : command
  })
  return { ...action, commands, paths: [...action.paths, ...paths] }
}

interface Patching {
  readonly call: PatchCall
  readonly command: ActionCommand
  readonly index: number
  readonly action: Action
  readonly disk: Looking
}

interface Patched {
  readonly paths: readonly ActionPath[]
  /** The command changes no other files. */
  readonly isWhole: boolean
}

function patched(from: Patching): Patched {
  const { call, command, index } = from
  const { texts, isWhole } = textsOf(from)
  const named = texts.map((text) => call.strips.flatMap((strip) => namesInPatch(text, strip)))
  const places = placesOf(from)
  const names = [...new Set(named.flat())]
  // More than are judged are not worked out.
  const files = names.length > mostNames ? names : names.flatMap((name) => places.map((place) => placed(place, name)))
  return {
    paths: [...new Set(files)].map((path) => ({ path, access: 'edit', of: 'operand', command: index })),
    isWhole: isWhole && command.listed === undefined && named.every((each) => each.length > 0) && !texts.some(isOpaque),
  }
}

function placed(place: string, name: string): string {
  return resolveFrom(place, '/', name.startsWith('/') ? name : `./${name}`)
}

/** Where the names of a patch may start: the places of the command, and the tops of the repositories around them. */
function placesOf({ call, command, action, disk }: Patching): readonly string[] {
  const around = (start: string): readonly string[] =>
    call.places.map((place) => resolveFrom(start, action.home, place))
  const starts = (command.directories ?? [action.cwd]).flatMap(around)
  const tops = new Set(starts.flatMap((start) => repositoryOf(start, disk)?.top ?? []))
  return [...new Set([...starts, ...[...tops].flatMap(around)])]
}

interface Texts {
  readonly texts: readonly string[]
  /** All texts are known, and the command finds them as they are now. */
  readonly isWhole: boolean
}

/** The texts in which a command finds its patches: files that it names, what it is fed, files that are read in front of it. */
function textsOf(from: Patching): Texts {
  const { call, command, index, action, disk } = from
  const read = command.redirects.filter(({ access }) => access === 'read').map(({ word }) => word)
  const named = call.files.filter(({ value }) => value !== '-')
  const words = named.length > 0 ? named : read
  if (words.length > 0) {
    const files = words.slice(0, mostFiles).map((word) => filesAt(word, from))
    const texts = files.flat().flatMap((path) => disk.text?.(path) ?? [])
    const isWhole =
      words.length <= mostFiles && named.length === call.files.length && files.every((each) => each.length > 0)
    return { texts, isWhole: isWhole && texts.length === files.flat().length && isSteady(from, files.flat()) }
  }
  const { fed = [] } = command
  // Signs with which a shell, or `printf`, puts another text in the place of this one.
  if (fed.length > 0) return { texts: fed, isWhole: !fed.some((text) => /[$`%]|\\\n/.test(text)) && isSteady(from, []) }
  const before = action.paths.filter(
    ({ of, access, command: by = index }) => of !== 'tool' && access === 'read' && by < index,
  )
  return { texts: before.slice(-mostFiles).flatMap(({ path }) => disk.text?.(path) ?? []), isWhole: false }
}

/** The files that a word stands for, as far as something is there. */
function filesAt(
  { value, glob }: ActionCommand['words'][number],
  { call, command, action, disk }: Patching,
): readonly string[] {
  if (value === null) return []
  const paths = (command.directories ?? [action.cwd]).flatMap((start) =>
    call.places.map((place) => resolveFrom(resolveFrom(start, action.home, place), action.home, value)),
  )
  const found = paths.flatMap((path) => (glob ? (globbed(path, disk, action.wideGlobs === true) ?? []) : [path]))
  return [...new Set(found)].filter((path) => disk.kindAt(whereItLeads(path, disk)) !== undefined)
}

/** All of the command stands on the line, and nothing on the line changes what it reads. */
function isSteady({ call, command, index, action, disk }: Patching, files: readonly string[]): boolean {
  const { commands, paths, input } = action
  if (!call.isSure || command.directories?.length !== 1 || /GIT_/.test(String(input['command']))) return false
  const own = new Set(files.map((path) => whereItLeads(path, disk)))
  const changed = paths.some(
    ({ access, command: by, path, glob }) =>
      access === 'edit' && by !== index && (glob !== undefined || own.has(whereItLeads(path, disk))),
  )
  return !changed && commands.slice(0, index).every(leavesPatches)
}

function leavesPatches(command: ActionCommand): boolean {
  const words = unwrapped(command.words)
  if (!words.every(({ value }) => value !== null)) return false
  if (/^(rm|mkdir|touch)$/.test(commandName(words)) || patchCalls(words).length > 0) return true
  return isReadOnlyCommand({ ...command, words })
}

/**
 * Says whether a command applies a patch of which nobody knows all names. One that only git makes, on the same line, names
 * files that git holds.
 *
 * @example `printf +++\ b/%s .env | git apply`
 */
export function takesUnseenPatch(command: ActionCommand, commands: readonly ActionCommand[]): boolean {
  if (command.patched === true) return false
  const calls = patchCalls(command.words)
  if (calls.length === 0 || command.words.some(({ value }) => goesOn.test(value ?? ''))) return false
  const comes = calls.every(({ files }) => files.length === 0) && command.redirects.length === 0
  return !comes || !commands.every(({ words }) => /^(git|cd|)$/.test(commandName(unwrapped(words))))
}

/** `git am --continue` takes the patches that it has already. */
const goesOn = /^--(abort|continue|skip|quit|resolved|show-current-patch)$/
