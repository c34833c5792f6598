import { minimatch } from 'minimatch'
import type { BashCommand } from './bash-command.ts'
import type { BashWord } from './bash-word.ts'
import { commandName, starts } from './bash-wrappers.ts'
import { valuedOption } from './data-verbs.ts'

/** With more such words than this a command has too many forms to look at. */
const mostVanishing = 4

/** Some words of the command may come to nothing. */
export function mayShorten({ words }: BashCommand): boolean {
  return words.some(({ vanishes }) => vanishes === true)
}

/**
 * The forms of a command in which words that may come to nothing are gone: `git $A push` is `git push` where A is empty.
 *
 * @returns null where such words are too many.
 */
export function shortened(command: BashCommand): readonly BashCommand[] | null {
  const { words } = command
  const spots = words.flatMap(({ vanishes }, at) => (vanishes === true ? [at] : []))
  if (spots.length > mostVanishing) return null
  const forms: BashCommand[] = []
  for (let chosen = 1; chosen < 2 ** spots.length; chosen += 1) {
    const gone = new Set(spots.filter((_, i) => Math.floor(chosen / 2 ** i) % 2 === 1))
    const kept = words.filter((_, at) => !gone.has(at))
    forms.push({ ...command, words: kept, text: [...command.assignments, ...kept.map(({ text }) => text)].join(' ') })
  }
  return forms
}

/**
 * The command, and what is left of it where globs come to nothing: another word may be its target then.
 *
 * @example `cp a.txt src/app.ts *.x` may be `cp a.txt src/app.ts`
 */
export function withoutGlobs(command: BashCommand): readonly BashCommand[] {
  if (!command.words.some(({ glob, vanishes }) => glob && vanishes === true)) return [command]
  return [command, ...(shortened(command) ?? [{ ...command, words: command.words.filter(({ glob }) => !glob) }])]
}

/** Behind more words than this no subcommand stands. */
const farthest = 8

/** Only a running shell knows the word, or the files on the disk say what it becomes. */
function isUnsure({ value, from, glob }: BashWord): boolean {
  return glob || (value === null && from === undefined)
}

/** Some word, behind that of the program, may be a subcommand that nobody can see. */
export function hasUnsureStart({ words }: BashCommand): boolean {
  return words.some((word, at) => at > 0 && at <= farthest && isUnsure(word))
}

/**
 * Whether a command may begin with some words, as words of it may be any.
 *
 * @param start The program and its subcommands.
 * @example mayBegin(command of `git -C sub $x origin`, ['git', 'push']) // true
 */
export function mayBegin({ words }: BashCommand, [program, ...rest]: readonly string[]): boolean {
  if (rest.length === 0) return false
  return starts(words).some((at) => {
    const own = words.slice(at, at + farthest + rest.length)
    return commandName(own) === program && own.some((_word, to) => mayBeVerb(own, to) && fits(own.slice(to), rest))
  })
}

/** Only options, with a value or without, stand before the word: `git -C sub push`. */
function mayBeVerb(words: readonly BashWord[], at: number): boolean {
  if (at === 0 || at > farthest) return false
  if (valued.test(words[at - 1]?.text ?? '') && words[at]?.splits !== true) return false
  return words.slice(1, at).every((word, i) => isOption(word) || isOption(words[i]))
}

/** Behind these stands a value in any program that has them. */
const valued = new RegExp(`${valuedOption.source}|^(-n|-H|--(namespace|context|host|profile|region))$`)

function isOption(word: BashWord | undefined): boolean {
  return word?.value?.startsWith('-') === true
}

/** Options of the shell may let a pattern stand for hidden names, and for names in other letters. */
const anyFile = { dot: true, nocase: true, nobrace: true, nonegate: true, nocomment: true } as const

function fits(words: readonly BashWord[], wanted: readonly string[]): boolean {
  let unsure = false
  for (const [at, text] of wanted.entries()) {
    const word = words[at]
    if (word === undefined) return false
    const { value, glob, splits, vanishes } = word
    if (isUnsure(word)) {
      // One such word may be several.
      if (value === null && (splits === true || vanishes === true)) return true
      if (glob && value !== null && !minimatch(text, value, anyFile)) return false
      unsure = true
    } else if (value !== text) return false
  }
  return unsure
}
