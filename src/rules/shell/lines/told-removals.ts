import type { BashCommand } from '../bash-command.ts'
import { commandName, unwrapped } from '../bash-wrappers.ts'
import { sedProgram } from '../code/sed-program.ts'
import { sedTexts } from '../code/sed-texts.ts'
import { textsToRun } from '../runnable-texts.ts'
import { readings } from '../code/code-words.ts'

/** Programs that work on files of another machine, or of a box. */
const elsewhere = /^(docker|podman|nerdctl|kubectl|oc|lxc|vagrant|multipass)$/

/** A removal by a program, by its name, and the rest of its command. */
const byName = /(?<![\w.-])(rm|rimraf|del-cli|trash|trash-put|srm|wipe)(?![\w.])(?!-)([^;&|\n]*)/g
/** A removal by a call of a language, and what stands behind it. */
const byCall =
  /\b(?:rmtree|remove_tree|rmSync|rmdirSync|(?<=\.)rm(?=\s*(?:\?\.)?\()|(?<=\[["'])rm(?=["']\])|rm(?=\([^;\n]*recursive)|rimraf|rimrafSync|removeSync|emptyDirSync|rm_rf|rm_r|remove_dir(?:_all)?|remove_entry(?:_secure)?|RemoveAll|[Rr]emove-[Ii]tem|delete-directory|delete(?=\([^;\n]*["']rf["'])|unlink(?=[\s(])|file\s+delete)\b\s*\(?([^;\n]*)/g
/** Ways in which languages say the home of a person. */
const home = /\bhomedir\(\)|\bPath\.home\(\)|\bDir\.home\b|\bUserHomeDir\b|\bHOME\b/

/** The home, with a name behind it that lies in there. */
const belowHome = /(?:homedir|home|HOME|UserHomeDir)["'\]})(]{0,8}\s*[,+/]\s*["'`]\/?[\w.]/

/** The directories of the machine that a container gets to change, where something is removed in there: `-v ~:/h x rm -rf /h`. */
export function mountedPlaces(command: BashCommand): readonly string[] {
  const words = unwrapped(command.words)
  if (!elsewhere.test(commandName(words))) return none
  const values = words.map(({ value, text }) => value ?? text)
  if (!/(?<![\w.-])rm\s+(-\S+\s+)*(-\w*[rR]|--recursive)/.test(values.join(' '))) return none
  const mounts = values.flatMap((value, at) => {
    const [, option, glued = ''] = /^(-[a-z]*v|--volume|--mount)(?:=?(.*))$/s.exec(value) ?? []
    if (option === undefined) return []
    return glued === '' ? (values[at + 1] ?? []) : glued
  })
  return mounts
    .filter((mount) => !/[:,](ro|readonly)\b/.test(mount))
    .flatMap((mount) => /(?:^|,)(?:source|src)=([^,]*)/.exec(mount)?.[1] ?? mount.split(':', 1))
}

/**
 * The places that recursive removals name in the texts that a command's program may run.
 *
 * @example removalsTold(command of `perl -e 'system("rm -rf /")'`) // ['/']
 */
export function removalsTold(command: BashCommand): readonly string[] {
  if (!says(command, removing)) return none
  const all = textsTold(command)
  return [...new Set([...all, all.join(' ')].flatMap(readings).flatMap(removedIn))]
}

/** Whether a pattern fits a word of a command, or a text that comes to it: most passes have nothing to do where none fits. */
export function says({ words, assignments, fed = none, written = none }: BashCommand, pattern: RegExp): boolean {
  const fits = (text: string): boolean => pattern.test(text)
  return (
    words.some(({ value, text }) => fits(value ?? text)) ||
    [assignments, fed, written].some((texts) => texts.some(fits))
  )
}

/** The texts that a command's program may run on this machine. */
export function textsTold(command: BashCommand): readonly string[] {
  const words = unwrapped(command.words)
  const name = commandName(words)
  if (words.length === 0 || elsewhere.test(name)) return none
  const values = words.map(({ value, text }) => value ?? text)
  const { texts, options } = textsToRun({ ...command, words }, values)
  const run = name === 'sed' ? sedTexts(words).flatMap((text) => sedProgram(text ?? '')?.runs ?? none) : none
  return [...texts, ...options, ...run, ...(command.written ?? none)]
}

const none: readonly string[] = []
/** Most commands hold no word for a removal. */
const removing = /rm|rimraf|del-cli|trash|wipe|remove|Remove|emptyDir|unlink|delete/

function removedIn(text: string): readonly string[] {
  const named = [...text.matchAll(byName)].flatMap(([, name = '', rest = '']) => {
    const words = wordsOf(rest)
    return name === 'rm' && !words.some((word) => /^(-\w*[rR]|--recursive)/.test(word)) ? [] : words
  })
  const called = [...text.matchAll(byCall)].flatMap(([, rest = '']) => [
    ...wordsOf(rest),
    ...(home.test(rest) && !belowHome.test(rest) ? ['~'] : []),
  ])
  return [...named, ...called].filter((word) => !word.startsWith('-'))
}

/** The words of a command, or of a call; a variable for the home is the home, and a tilde in quotes is none any more. */
function wordsOf(text: string): readonly string[] {
  return text
    .split(/[\s"'`,()[\]{}<>]+/)
    .map((word) => word.replace(/^(\$\{?HOME\}?|\.\/~)(?=\/|$)/, '~'))
    .filter((word) => /^[-~/.*]/.test(word))
}
