import type { BashCommand } from '../bash-command.ts'
import { isLiteral, type BashWord } from '../bash-word.ts'
import { isShell, writtenScripts } from '../bash-scripts.ts'
import { commandName, spelledOut, unwrapped } from '../bash-wrappers.ts'
import { sedProgram } from '../code/sed-program.ts'
import { sedTexts } from '../code/sed-texts.ts'
import { takesData, textsToRun } from '../runnable-texts.ts'

/** A text that a program may give to a shell. */
export interface LineText {
  readonly text: string
  /** The program takes it for a line of a shell, and for nothing else: all that it says counts. */
  readonly sure: boolean
}

/** Programs in whose own texts lines of a shell stand. */
const filters = /^(sed|[gmn]?awk)$/
/** Programs whose texts are no lines of a shell, or are read by parsers of their own. */
const others = /^(echo|printf|dd|find|fd|fdfind|:|true|false|test|\[|\[\[|let|eval|jq|yq|julia)$/
/** Programs that give their words to a shell whole. */
const starters = /^(tmux|screen)$/
const makers = /^(g?make|ninja)$/
/** Languages in which a line for a shell stands in quotes. */
const languages = /^(python|pypy|perl|ruby|node|nodejs|deno|bun|php|lua|luajit|R|Rscript|mongosh|elixir|erl|gs)[\d.]*$/
/** Programs of which a line of their own begins with the word for a shell: `!x`, `.shell x`, `shell x`. */
const commanded = /^(vim?|nvim|ex|ed|emacs|gdb|lldb|tclsh|expect|psql|sqlite3|mysql)[\d.]*$/

/** Signs of which a shell makes another text: an expansion, a pattern, braces. */
const changing = /[$`*?[]|\{[^{}]*,/

/** Commands that work on files which they do not name. */
const reaching = /(?<![\w.-])(?:git|[ef]?grep|rg|find|cp|mv|rsync|tar|zip)\s/

/** A shell makes other names of the text, or its commands reach further than what it names. */
function counts(text: string): boolean {
  return !isLiteral(text) && (changing.test(text) || reaching.test(text))
}

/**
 * The texts among the words of a command that its program may give to a shell, where they hold something of which a shell
 * makes another text: the value of an option, what stands behind `!` or `|`, a text in quotes of a program's text.
 *
 * @example lineTexts(command of `split --filter='x=r;${x}m' a`) // [{ text: 'x=r;${x}m', sure: true }, …]
 */
export function lineTexts(command: BashCommand): readonly LineText[] {
  if (!holdsSigns(command)) return none
  const words = spelledOut(unwrapped(command.words))
  const name = commandName(words)
  if (words.length === 0 || others.test(name) || isShell(words)) return none
  if (filters.test(name)) return filtered(name, words)
  const scripts = new Set(writtenScripts(words).texts)
  const { texts, options } = textsToRun(command, words.map(known))
  const found = new Map<string, boolean>()
  const where = whereLines(name)
  const add = (text: string, sure: boolean): void => {
    const written = text.includes('$$') ? [text, text.replaceAll('$$', () => '$')] : [text]
    for (const part of written.flatMap((each) => partsOf(each, sure ? 'anywhere' : where)))
      if (!scripts.has(part.text) && mayBeLine(part.text, sure || part.sure))
        found.set(part.text, found.get(part.text) === true || sure || part.sure)
  }
  for (const text of options) if (counts(text)) add(text, !makers.test(name))
  for (const text of texts) if (counts(text) && !scripts.has(text)) add(text, starters.test(name))
  if (!takesData(words) && !elsewhere.test(name)) for (const script of scriptsAmong(words)) add(script, true)
  return [...found].map(([text, sure]) => ({ text, sure }))
}

/** `sed '1e git log -p'`, `awk 'BEGIN{system("git log -p")}'`: the lines that programs of sed and awk give to a shell. */
function filtered(name: string, words: readonly BashWord[]): readonly LineText[] {
  const lines =
    name === 'sed'
      ? sedTexts(words).flatMap((text) => (sedProgram(text ?? '')?.runs ?? []).flatMap(behindLetters))
      : words
          .flatMap(({ value }) => (/system|\|/.test(value ?? '') ? partsOf(value ?? '', 'quoted') : []))
          .map(({ text }) => text)
  return lines.filter((text) => counts(text) && mayBeLine(text, true)).map((text) => ({ text, sure: true }))
}

/** The texts behind each letter of a command of sed that may be its `e`: an address may hold others. */
function behindLetters(run: string): readonly string[] {
  return [...run.matchAll(/e[ \t]*/g)].slice(0, mostSigns).map(({ 0: sign, index }) => run.slice(index + sign.length))
}

/** Most commands have no sign of which a shell makes another text. */
function holdsSigns({ words, assignments, fed = [] }: BashCommand): boolean {
  return words.some(({ text }) => counts(text)) || [...assignments, ...fed].some(counts)
}

type Where = 'quoted' | 'behind signs' | 'anywhere'

function whereLines(name: string): Where {
  if (languages.test(name)) return 'quoted'
  return commanded.test(name) ? 'behind signs' : 'anywhere'
}

const none: readonly LineText[] = []
/** Programs that run their words on another machine, or in a box with files of its own. */
const elsewhere = /^(docker|podman|nerdctl|kubectl|oc|lxc|vagrant|ssh|multipass)$/

/** `gdb --args sh -c 'x'`: the script of a shell that the program is told to start. */
function scriptsAmong(words: readonly BashWord[]): readonly string[] {
  return words.flatMap((word, at) => {
    const isScript = at > 2 && /^-[a-z]*c$/.test(words[at - 1]?.value ?? '') && isShell(words.slice(at - 2, at - 1))
    return isScript && word.value !== null ? [word.value] : []
  })
}

/** The text of a word, without what only a running shell brings to it. */
function known({ value, shorter, text }: BashWord): string {
  if (value !== null) return value
  if (shorter?.[0] !== undefined) return shorter[0]
  if (!text.includes('\\$')) return ''
  const rest = text.replaceAll(/(?<!\\)(?:\$\([^()]*\)|\$\w+|\$\{[^{}]*\})/g, '')
  return rest.replaceAll(/^"|"$/g, '').replaceAll(/\\([$"`\\])/g, '$1')
}

/** Signs behind which a program expects a command. */
const signs = /[=:|!]+|\b(?:exec|shell|system|spawn|pipe)\s|\b(?:ba|da|z|k)?sh\s+-[a-z]*c\s+|\$\(shell\s|^-\w/g
/** More signs than these are not looked behind. */
const mostSigns = 8
const quotes = /"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|`([^`]*)`|\bq[qx]?\s*[{(/]([^})/]*)/g

/** The text, what stands behind its signs, and the texts in quotes. */
function partsOf(text: string, where: Where): readonly LineText[] {
  const parts = where === 'anywhere' ? [{ text: trimmed(text), sure: /^[|!]/.test(text) }] : []
  if (where !== 'quoted')
    for (const { 0: sign, index } of [...text.matchAll(signs)].slice(0, mostSigns))
      parts.push({ text: trimmed(text.slice(index + sign.length)), sure: /c\s+$/.test(sign) })
  for (const [, ...inner] of text.matchAll(quotes)) {
    const said = inner.find((each) => each !== undefined) ?? ''
    if (counts(said)) parts.push({ text: trimmed(said.replaceAll(/\\(["'`$\\])/g, '$1')), sure: false })
  }
  return parts
}

/** Without the signs in front of a command, such as those of a recipe of make. */
function trimmed(text: string): string {
  return text.replace(/^[\s;@!|&:,+-]+/, '').trimEnd()
}

/** A pattern alone is a program only where a program is expected. */
function mayBeLine(text: string, sure: boolean): boolean {
  if (reaching.test(text) && text.search(reaching) === 0) return true
  return changing.test(text) && (sure || /[\s;|&$`]/.test(text) || (text.includes('/') && !text.includes('**')))
}
