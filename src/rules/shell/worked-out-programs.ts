import type { BashWord } from './bash-word.ts'
import { commandName } from './bash-wrappers.ts'

/**
 * Says whether a command runs a program, or opens a file, that its own program text puts together: `system($0)` of awk,
 * `e` of sed, a program that comes out of `<(…)`.
 *
 * @example worksOutProgram(`make -f <(printf 'x:;rm y')`) // true
 */
export function worksOutProgram(words: readonly BashWord[]): boolean {
  const name = commandName(words)
  if (programs.test(name) && words.some(({ from }, at) => at > 0 && from === 'pipe' && isProgram(name, words, at)))
    return true
  if (name !== 'sed' && !name.endsWith('awk')) return false
  const texts = words.slice(1).map(({ value }) => value ?? '')
  if (/^[gmn]?awk$/.test(name)) return texts.some(awkPutsTogether)
  return name === 'sed' && texts.some((text) => sedRuns.test(text))
}

/**
 * Says whether the program text of awk or sed runs commands: a rule for all of awk does not speak of these.
 *
 * @example runsCommands(`sed '1e date' a.txt`) // true
 */
export function runsCommands(words: readonly BashWord[]): boolean {
  const name = commandName(words)
  if (name !== 'sed' && !name.endsWith('awk')) return false
  const texts = words.slice(1).map(({ value }) => value ?? '')
  if (name === 'sed') return texts.some((text) => sedRuns.test(text) || sedCommand.test(text.replaceAll(searched, '/')))
  return (
    /^[gmn]?awk$/.test(name) &&
    texts.some((text) => text.includes('{') && /\bsystem\s*\(|\|/.test(withoutPatterns(text)))
  )
}

/** `1e date`, `/x/e date`; what is searched for and replaced is none of it. */
const sedCommand = /(?:^|[;{}\d$/!\n])\s*e\s+\S/
const searched = /s([^\w\s])(?:\\.|(?!\1).)*\1(?:\\.|(?!\1).)*\1|\/(?:\\.|[^/\n])*\//gs

const programs = /^(python|pypy|perl|ruby|node|nodejs|deno|bun|php|lua|tclsh|g?make|sed|[gmn]?awk|expect|gdb)[\d.]*$/

/** Of sed and awk only the file behind `-f` is a program. */
function isProgram(name: string, words: readonly BashWord[], at: number): boolean {
  return !/^(sed|[gmn]?awk)$/.test(name) || /^(-[a-zA-Z]*f|--file)$/.test(words[at - 1]?.value ?? '')
}

/** The program runs, reads or writes anything but a text in quotes. */
function awkPutsTogether(text: string): boolean {
  if (!/\{/.test(text) || !/system|getline|\|/.test(text)) return false
  const rest = withoutPatterns(text.replaceAll(plainRuns, ' '))
  return /\bsystem\s*\(|\||getline[^;)\n]*</.test(rest)
}

/** Texts in quotes and patterns stand for nothing that runs. */
function withoutPatterns(text: string): string {
  return text
    .replaceAll('||', ' ')
    .replaceAll(/"(?:\\.|[^"\\])*"/g, '""')
    .replaceAll(/(^|[~!(,{;&|\s])\/(?:\\.|[^/\n])+\//g, '$1')
}

const plainRuns =
  /\|\||system\s*\(\s*"[^"\\]*"\s*\)|"[^"\\]*"\s*\|\s*getline|\|\s*"[^"\\]*"(?=\s*(?:[;}\n]|$))|getline[^<;)\n]*<\s*"[^"\\]*"(?=\s*(?:[);}>\n]|$))/g

/** A lone `e` runs each line, the flag `e` what came out of a replacement. */
const sedRuns = /(?:^|[;{}\d$/!])\s*e\s*(?:$|[;}\n])|s([^\w\s])(?:\\.|(?!\1).)*\1(?:\\.|(?!\1).)*\1[gpIiMm\d]*e/s
