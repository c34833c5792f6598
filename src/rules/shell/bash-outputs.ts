import type { BashWord } from './bash-word.ts'
import { commandName } from './bash-wrappers.ts'

/** With these flags they write the file that is named next. */
const writers = new Set(
  'sort curl wget gcc g++ cc clang ld go rustc pandoc openssl esbuild tree git xmllint dot shuf'.split(' '),
)
const outputFlag = /^(-[a-zA-Z]*[oO]|--output|--output-document|--out|-out)$/
/** Subcommands of git that change the files named behind them. */
const gitEdits = /^(checkout|restore|rm|mv|clean)$/

/**
 * Says whether a command writes the file that one of its words names: the value of `-o`, the second operand of `uniq`,
 * the archive that `tar` makes, the files that it unpacks.
 *
 * @example `tar czf out.tgz src` → the word `out.tgz`
 */
export function isOutput(words: readonly BashWord[], at: number): boolean {
  const name = commandName(words)
  if (name === 'uniq' || name === 'xxd') return operandAt(words, at) === 1
  if (name === 'tar' || name === 'bsdtar') return ofTar(words, at)
  if (name === 'zip' || name === '7z') return operandAt(words, at) === (name === 'zip' ? 0 : 1)
  if (name === 'unzip') return operandAt(words, at) > 0
  if (name === 'git' && gitEdits.test(words.find(({ value }, i) => i > 0 && /^[a-z]/.test(value ?? ''))?.value ?? ''))
    return true
  if (!writers.has(name)) return false
  const value = words[at]?.value ?? ''
  return outputFlag.test(words[at - 1]?.value ?? '') || /^(-o.|--output=|--out=)/.test(value)
}

/** A tar that unpacks writes files, and one that packs writes an archive. */
function ofTar(words: readonly BashWord[], at: number): boolean {
  const flags = words[1]?.value ?? ''
  const short = words
    .slice(1)
    .flatMap(({ value }, i) => (/^-[a-zA-Z]/.test(value ?? '') || i === 0 ? [value ?? ''] : []))
  const does = (letters: RegExp, long: RegExp): boolean =>
    short.some((word) => letters.test(word)) || words.some(({ value }) => long.test(value ?? ''))
  const before = words[at - 1]?.value ?? ''
  const isArchive = /^(-[a-zA-Z]*f|--file)$/.test(before) || (at === 2 && !flags.startsWith('-') && flags.includes('f'))
  if (isArchive || (words[at]?.value ?? '').startsWith('--file='))
    return does(/^-?[a-zA-Z]*[cruA]/, /^--(create|append|update|cat)/)
  return at > 1 && does(/^-?[a-zA-Z]*x/, /^--(extract|get)/)
}

/** The how-manieth word it is that is no flag; -1 for a flag. */
function operandAt(words: readonly BashWord[], at: number): number {
  if (words[at]?.value?.startsWith('-') === true) return -1
  return words.slice(1, at).filter(({ value }) => value?.startsWith('-') !== true).length
}
