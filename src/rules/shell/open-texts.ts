import type { BashCommand } from './bash-command.ts'
import type { BashWord } from './bash-word.ts'
import { wordings } from './bash-runners.ts'
import { commandName, programOf, starts, unwrapped } from './bash-wrappers.ts'
import { valuedOption } from './data-verbs.ts'
import { foundRuns } from './found-runs.ts'
import { foundPlaces, type ListedPlaces } from './listed-places.ts'
import { mayRunByOption } from './unknown-options.ts'

/**
 * Texts of commands in which marks stand for what only a running shell knows, and whether one of the texts that they may
 * come to is what a rule speaks of. A mark is a character that no keyboard has; where a line holds one, it counts as a mark,
 * which makes the line stricter.
 */
const marks = {
  /** Any text without a blank, or none. */
  any: '\uE000',
  /** Any text, blanks included. */
  words: '\uE001',
  /** A text that nothing on the line or in a file chose: a rule that names it does not mean this one. */
  own: '\uE002',
  digits: '\uE003',
  /** A part of a file's name, found by a wildcard. */
  file: '\uE004',
  /** At the start of a word that may come to nothing. */
  maybe: '\uE005',
  /** At the start of a pattern, which may find several files, and names in other letters. */
  pattern: '\uE006',
  /** At the start of the value of an option: no subcommand. */
  value: '\uE007',
} as const

/** Some words of the command are known only when it runs: they stand there so, or come in through `xargs`. */
export function isOpen(command: BashCommand): boolean {
  if (!command.words.some(isUnsure) && unknownInput(command) === null) return false
  const [run] = foundRuns(command)
  return !talkers.test(commandName(run?.words ?? unwrapped(command.words)))
}

/** Programs that say, or compare, their arguments, and do nothing with them. */
const talkers = /^(echo|printf|true|false|:|test|\[|\[\[)$/

function isUnsure({ value, glob, vanishes }: BashWord): boolean {
  return value === null || glob || vanishes === true
}

/**
 * The texts under which a rule that forbids may know the command, with marks for what is not known.
 *
 * @param hasOptions Its patterns may find files whose names begin with a dash.
 * @example openTexts(command of `rm $X -rf y`) // `rm`, a mark, `-rf y`
 */
export function openTexts(command: BashCommand, hasOptions: boolean): readonly string[] {
  const marked = withInput(command).map((word, at, words) => withMarks(word, { words, at, hasOptions }))
  const all = wordings(marked)
  const shorter = marked.filter(({ text }) => !text.startsWith(marks.maybe))
  const texts = shorter.length === marked.length ? all : [...all, ...wordings(shorter)]
  return [...new Set(texts)].filter((text) => !startsOpen(text))
}

/** The program, or what would be its subcommand, is not one. */
function startsOpen(text: string): boolean {
  return /^[\uE000-\uE007]/.test(text) || text.charAt(text.indexOf(' ') + 1) === marks.value
}

interface Among {
  readonly words: readonly BashWord[]
  readonly at: number
  readonly hasOptions: boolean
}

function withMarks(word: BashWord, { words, at, hasOptions }: Among): BashWord {
  if (!isUnsure(word)) return word
  const { value, glob, from, splits, vanishes } = word
  const before = words[at - 1]?.value ?? ''
  const maybe = vanishes === true ? marks.maybe : ''
  const marked = (text: string): BashWord => ({ text: `${maybe}${text}`, value: `${maybe}${text}`, glob: false })
  if (value !== null && glob) return marked(`${marks.pattern}${asFiles(value, hasOptions)}`)
  const several = splits === true || vanishes === true
  const around = (mark: string): BashWord => marked(`${beginning(word)}${mark}${ending(word)}`)
  if (from === 'number') return around(marks.digits)
  if (from !== undefined || value !== null || (!several && takesText(before))) return around(marks.own)
  if (several) return around(marks.words)
  const { text } = around(marks.any)
  return marked(`${valued.test(before) ? marks.value : ''}${text}`)
}

/** Behind these stands a value in any program that has them in front of a verb. */
const valued = new RegExp(`${valuedOption.source}|^(-n|-H|--(namespace|context|host|profile|region))$`)

/** Behind these stands a message, whatever it begins with. */
function takesText(option: string): boolean {
  return /^(-[a-ln-z]*m|--(message|body|title|notes|description))$/.test(option)
}

/**
 * Whether a word that only a running shell knows may come to a text that one of the patterns covers.
 *
 * @example mayBeAny(word of `"$(npm bin)/tool"`, ['*\/troupe']) // false
 */
export function mayBeAny(word: BashWord, patterns: readonly string[]): boolean {
  const { text } = withMarks(word, { words: [word], at: 0, hasOptions: true })
  return patterns.some((pattern) => mayMatch(pattern, text))
}

/** The text in front of the first expansion; a blank in quotes ends no word. */
function beginning({ text }: BashWord): string {
  return (/^"?([\w=.,:/@+ -]*)/.exec(text)?.[1] ?? '').replaceAll(' ', marks.own)
}

/** The text behind the last expansion, where nothing in it can be a part of one: `$(npm bin)/x`, `"${A}x"`, `$A/x`. */
function ending({ text }: BashWord): string {
  return /(?:[)}]|\$\w+(?=[./-]))([\w./-]+)"?$/.exec(text)?.[1] ?? ''
}

/** `*.ts`: its wildcards as marks. Names that begin with a dash are found only where there are such. */
function asFiles(pattern: string, hasOptions: boolean): string {
  const plain = pattern.replaceAll(/\\(.)/gs, '$1').toLowerCase()
  const text = plain.replaceAll(/[*?]+/g, marks.file).replaceAll(/\[[^\]]*\]/g, marks.any)
  return hasOptions ? text.replaceAll(marks.file, marks.any) : text
}

/** The words with those that `xargs` gets: at the end, or in place of its mark. Names of files in known places begin with no option. */
function withInput(command: BashCommand): readonly BashWord[] {
  const { words, found, listed } = command
  // A file of the list is none of the forbidden words; the `xargs` in front of it shows the others.
  if (found === true && listed !== undefined)
    return words.map((word) => (word.value === null ? { ...word, from: 'pipe' } : word))
  const mark = unknownInput(command)
  if (mark === null) return words
  if (mark === atEnd) return [...words, { text: '', value: null, glob: false, splits: true, vanishes: true }]
  return words.map((word, at) =>
    at > 0 && word.value?.includes(mark) === true
      ? { text: word.value.slice(0, word.value.indexOf(mark)), value: null, glob: false }
      : word,
  )
}

const atEnd = ''

/** The same, and null where only names of files come in. */
function unknownInput(command: BashCommand): string | null {
  return command.listed === undefined ? inputMark(command.words) : null
}

/** The mark for which `xargs` puts what comes in; empty for the end of the words, null where nothing comes in. */
export function inputMark(words: readonly BashWord[]): string | null {
  const at = starts(words).find((start) => programOf(words[start]) === 'xargs')
  if (at === undefined) return null
  const flags = words.slice(at + 1).map(({ value }) => value ?? '')
  const flag = flags.findIndex((value) => /^(-[0oprtx]*[iI]|--replace)/.test(value))
  if (flag === -1) return atEnd
  const glued = (flags[flag] ?? '').replace(/^(-[0oprtx]*[iI]|--replace=?)/, '')
  return glued || (/^-\w*I$/.test(flags[flag] ?? '') ? flags[flag + 1] : undefined) || '{}'
}

/**
 * Whether one of the texts that a text with marks may come to is what a pattern covers, in which `*` stands for any
 * characters. Goes through the text once, with all places of the pattern that can be reached.
 *
 * @example mayMatch('rm * -rf *', openText of `rm a "$(cat x)" b`) // true
 */
export function mayMatch(pattern: string, text: string): boolean {
  let places: Places = passed(new Set([0]), pattern)
  // In front of each word stands the blank that goes with it.
  for (const [at, word] of text.split(' ').entries()) {
    if (places.size === 0) return false
    places = behindWord(at === 0 ? word : ` ${word}`, places, pattern)
  }
  return places.has(pattern.length)
}

/** The places in a pattern up to which it may be used up. */
type Places = ReadonlySet<number>

function behindWord(word: string, start: Places, pattern: string): Places {
  const isPattern = word.includes(marks.pattern)
  const signs = word.split('')
  let ends = after(signs, start, { pattern, isPattern })
  // A pattern of a shell may find several files.
  for (let size = isPattern ? 0 : ends.size; size < ends.size;) {
    size = ends.size
    ends = new Set([...ends, ...after(signs, ends, { pattern, isPattern })])
  }
  return word.includes(marks.maybe) ? new Set([...start, ...ends]) : ends
}

interface Compared {
  readonly pattern: string
  /** Letters are the same, small or not. */
  readonly isPattern: boolean
}

function after(signs: readonly string[], start: Places, { pattern, isPattern }: Compared): Places {
  const wanted = isPattern ? pattern.toLowerCase() : pattern
  return signs.reduce((places: Places, sign) => (places.size === 0 ? places : behindSign(sign, places, wanted)), start)
}

function behindSign(sign: string, places: Places, pattern: string): Places {
  if (sign === marks.maybe || sign === marks.pattern || sign === marks.value) return places
  const run = runs.get(sign)
  const next = new Set<number>()
  for (const place of places) {
    if (pattern[place] === '*') next.add(place)
    else if (run === undefined && pattern[place] === sign) next.add(place + 1)
    else if (run !== undefined)
      for (let to = place; to <= place + (run.exec(pattern.slice(place))?.[0].length ?? 0); to += 1) next.add(to)
  }
  return passed(next, pattern)
}

/** The part of a pattern that a mark may stand for. */
const runs: ReadonlyMap<string, RegExp> = new Map([
  [marks.any, /^[^ ]*/],
  [marks.words, /^[\s\S]*/],
  [marks.own, /^(?!)/],
  [marks.digits, /^\d*/],
  [marks.file, /^(?!-)[^ ]*/],
])

/** A star may stand for nothing. */
function passed(places: Set<number>, pattern: string): Places {
  for (const place of places) if (pattern[place] === '*') places.add(place + 1)
  return places
}

/** With more such words than this a command has too many forms to look at. */
const mostVanishing = 4

/**
 * The forms of a command in which words that may come to nothing are gone: `git $A push` is `git push` where A is empty.
 *
 * @returns null where such words are too many.
 */
function shortened(command: BashCommand): readonly BashCommand[] | null {
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

/**
 * The command, and what it is where parts of its words that nobody knows come to nothing.
 *
 * @example `git pu${X}sh` may be `git push`
 */
export function shorterForms(command: BashCommand): readonly BashCommand[] {
  if (!command.words.some(({ shorter }) => shorter !== undefined)) return [command]
  const most = Math.max(...command.words.map(({ shorter }) => shorter?.length ?? 0))
  const forms = Array.from({ length: most }, (_, form): BashCommand => {
    const words = command.words.flatMap((word) => shortenedWord(word, form))
    return { ...command, words, text: [...command.assignments, ...words.map(({ text }) => text)].join(' ') }
  })
  return [command, ...forms]
}

function shortenedWord(word: BashWord, form: number): readonly BashWord[] {
  const value = word.shorter?.[form] ?? word.shorter?.at(-1)
  if (value === undefined) return [word]
  const texts = word.splits === true ? value.split(/\s+/).filter((text) => text !== '') : [value]
  return texts.map((text) => ({ text, value: text, glob: /[*?[]/.test(text) }))
}

/** Where files lie on which find may run a program, by a word of which only a running shell knows that it says so. */
export function placesActedOn(command: BashCommand): ListedPlaces | null {
  for (const form of shorterForms(command)) {
    const words = unwrapped(form.words)
    if (commandName(words) !== 'find') continue
    const acts = form !== command && words.some(({ value }) => /^-(exec|ok|delete|fprint)/.test(value ?? ''))
    const known = words.filter(({ value }) => value !== null)
    if (acts || mayRunByOption(words)) return foundPlaces(known) ?? { paths: ['/'], below: { hidden: true, only: [] } }
  }
  return null
}
