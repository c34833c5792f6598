import type { BashWord } from './bash-word.ts'
import { commandName } from './bash-wrappers.ts'
import { sedProgram, type SedProgram } from './code/sed-program.ts'
import { sedTexts } from './code/sed-texts.ts'
import { carries } from './fed-paths.ts'
import { keptCommand } from './running-options.ts'

/**
 * Says whether a command runs a program, or opens a file, that its own program text puts together: `system($0)` of awk,
 * `e` of sed, a program that comes out of `<(…)`.
 *
 * @example worksOutProgram(`make -f <(printf 'x:;rm y')`) // true
 */
export function worksOutProgram(written: readonly BashWord[]): boolean {
  const words = insideBox(written)
  const name = commandName(words)
  if (words.some(({ from }, at) => at > 0 && from === 'pipe' && isProgram(name, words, at))) return true
  if (name === 'git') return keepsCommand(words)
  if (name === 'sed') return sedTexts(words).some((text) => sedWorksOut(sedProgram(text ?? '')))
  return awk.has(name) && words.some(({ value }, at) => at > 0 && awkPutsTogether(value ?? ''))
}

/**
 * Says whether the program of awk or sed runs commands, or may, because a file holds the program, or only a running shell
 * knows the text: a rule for all of awk does not speak of these.
 *
 * @example runsCommands(`sed '1e date' a.txt`) // true
 */
export function runsCommands(written: readonly BashWord[]): boolean {
  const words = insideBox(written)
  const name = commandName(words)
  if (name === 'sed') return sedTexts(words).some((text) => text === null || !isPlain(sedProgram(text)))
  if (!awk.has(name)) return false
  return words.some(({ value }, at) => at > 0 && awkRuns(value ?? '')) || awkLoads(words) || isUnread(words)
}

const awk = new Set(['awk', 'gawk', 'mawk', 'nawk'])
/** A file that holds a program of awk, or a library for one; `-i inplace` edits files. */
const awkFiles = /^(-[bcCghkMnNOPrsStV]*[fElW]|-[bcCghkMnNOPrsStV]*i(?!nplace$)|--(fil|e|l(?!in)|i))/

/** Only a running shell knows the program: the first operand, or what follows `-e`. */
function isUnread(words: readonly BashWord[]): boolean {
  const program = words.find(
    ({ text }, at) =>
      at > 0 && !text.startsWith('-') && !/^(-[vFl]|--(as|fie|l)[a-z-]*)$/.test(words[at - 1]?.value ?? ''),
  )
  return program?.value === null && program.from === undefined
}

/** The program of awk is not on the line. */
function awkLoads(words: readonly BashWord[]): boolean {
  return words.some(({ value }, at) => {
    if (at === 0 || !awkFiles.test(value ?? '')) return false
    return !/^(-i|--i[a-z]*)$/.test(value ?? '') || words[at + 1]?.value !== 'inplace'
  })
}
/** `git -c alias.x='!r""m'`, `git config alias.x '!r\m'` */
function keepsCommand(words: readonly BashWord[]): boolean {
  return words.some(({ value }, at) => {
    if (value?.includes('.') !== true) return false
    const [key = '', ...rest] = value.split('=')
    // The settings of the file are not on the line.
    if (/^include(if\..+)?\.path$/i.test(key)) return rest.length > 0 || words[at + 1] !== undefined
    if (!keptCommand.test(key)) return false
    // The part of an address in a key may be a command as well.
    return isDisguised(`${key} ${rest.length > 0 ? rest.join('=') : (words[at + 1]?.value ?? '')}`)
  })
}

/** `isDisguised('r""m')`: a shell runs another text than stands there. */
export function isDisguised(text: string): boolean {
  return /["'\\`*?[{~$]/.test(text)
}

/** `busybox sed p` is `sed p`. */
function insideBox(words: readonly BashWord[]): readonly BashWord[] {
  const name = commandName(words)
  return name === 'busybox' || name === 'toybox' ? insideBox(words.slice(1)) : words
}

/** Of sed and awk only the file behind `-f` is a program; programs that show, count or compare take none. */
function isProgram(name: string, words: readonly BashWord[], at: number): boolean {
  if (/^(sed|[gmn]?awk)$/.test(name)) return /^(-[a-zA-Z]*f|--file)$/.test(words[at - 1]?.value ?? '')
  return name !== '' && !carries(name) && !/^(join|vimdiff|bat|exec|source|\.|ls)$/.test(name)
}

/** The program of sed is known, and starts no other one. */
function isPlain(program: SedProgram | null): boolean {
  return program !== null && program.runs.length === 0 && !program.runsInput
}

function sedWorksOut(program: SedProgram | null): boolean {
  return program === null || program.runsInput || !program.runs.every((run) => seenRun.test(run))
}

/** `1e date`: rules see the command that sed runs here, since a shell would change nothing in the text. */
const seenRun = /^[\d,$ \t]*e[ \t]+[^\s*?[\]{}$`~\\][^\n*?[\]{}$`~\\]*$/

/**
 * The files that programs of sed name.
 *
 * @example sedFiles(`sed -n 's/a/b/w x' a.txt`) // [{ path: 'x', access: 'edit' }]
 */
export function sedFiles(words: readonly BashWord[]): SedProgram['files'] {
  const files = sedTexts(words).flatMap((text) => sedProgram(text ?? '')?.files ?? [])
  return files.filter(({ path }) => !/^\/dev\/std(out|err|in)$/.test(path))
}

/** The program may run commands: a call of `system`, a pipe, a call through a name that a variable holds. */
function awkRuns(text: string): boolean {
  return /system\s*\(|getline/.test(text) || indirect.test(text) || printsInto(withoutTexts(text))
}

/** The program runs, reads or writes anything but a text in quotes. */
function awkPutsTogether(text: string): boolean {
  if (!/system|getline|\||@/.test(text)) return false
  const rest = withoutTexts(text).replaceAll(plainRuns, ' ')
  return (
    /system\s*\(|\|&?\s*getline|getline(?:(?!getline)[^;)\n])*</.test(rest) || indirect.test(rest) || printsInto(rest)
  )
}

/** A pipe behind `print`; a bare one is a separator, as in `-F'|'`. */
function printsInto(rest: string): boolean {
  return rest.includes('print') && rest.includes('|')
}

const indirect = /@\s*(?:\w+\s*\(|(?:include|load)\b)/

/** `"p"` for each text that a shell takes as it stands, `"u"` for other texts, nothing for patterns and comments. */
function withoutTexts(text: string): string {
  const joined = text.replaceAll('\\\n', ' ')
  // A pattern and a division look the same here.
  const whole = /\)\s*\/[^/\n]*"|\[[^\][\n]*\//.test(joined)
  const rest = whole ? joined : joined.replaceAll(awkTexts, standsFor)
  return rest.replaceAll('||', ' ')
}

function standsFor(found: string): string {
  if (!found.startsWith('"')) return ' '
  return plainText.test(found) ? '"p"' : '"u"'
}

/** A slash behind a value divides; behind anything else, or a keyword, a pattern begins. */
const awkTexts =
  /"(?:\\.|[^"\\\n])*"|#[^\n]*|(?=\/)(?:(?<=\b(?:print|printf|return|in|case|else|do)[ \t]*)|(?<!(?:[\w)\]"$]|\+\+|--)[ \t]*))\/(?:\\.|[^/\\\n])+\//g
/** A text of a program on the line; the input of a shell, or of a program that runs it, is not there. */
const plainText =
  /^"(?![^"]*\b(?:(?:ba|da|z|k)?sh|xargs|parallel|at|batch|python[\d.]*|perl|node|ruby)\b)[^"\\*?[\]{}$`~]*"$/

const plainRuns =
  /system\s*\(\s*"p"\s*\)|(?<=(?:^|[{};(\n])\s*)"p"\s*\|\s*getline|\|\s*"p"(?=\s*(?:[;}\n]|$))|getline(?:(?!getline)[^<;)\n])*<\s*"p"(?=\s*(?:[);}>\n]|$))/g
