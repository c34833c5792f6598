import type { BashWord } from './bash-word.ts'
import { byProgram, commandName } from './bash-wrappers.ts'
import { toolOf } from './changed-trees.ts'

/** Programs that write the file which some flags name. */
export const writers = new Set(
  'sort curl wget gcc g++ cc clang ld go rustc pandoc openssl esbuild tree git xmllint dot shuf psql pg_dump mysqldump less'.split(
    ' ',
  ),
)
const outputFlag = /^(-[a-zA-Z]*[oO]|--?o(ut?[a-z-]*)?|--?(cover|cpu|mem|block|mutex)profile|--?trace)$/
/** `--cpu-prof-dir=x`, `--log-file=x`: whatever the program is. */
const namedOutput = /^--([\w-]*(out|dest|prof|dump|save|log-file|report-d|diagnostic-d|target-d)[\w-]*|log)=./
const outputBefore =
  /^--([\w-]+-)?(log|log-?file|output[\w-]*|out-?(file|dir)|destination|dest-?dir|target(-dir)?|report(-dir)?|prefix|dump-[\w-]+|cache-(location|dir)|snapshot-blob)$/
/** Programs whose short options name what they make, with the letters of these. */
const making = byProgram<RegExp>({
  pip: /^-[a-zA-Z]*[td]$/,
  pip3: /^-[a-zA-Z]*[td]$/,
  docker: /^-o$/,
  podman: /^-o$/,
  gh: /^-[DO]$/,
  psql: /^-L$/,
  cmake: /^(-B|--install-prefix)$/,
  eslint: /^-o$/,
  ruff: /^-o$/,
})
/** With these curl and wget write more than what they fetch. */
const downloads =
  /^(-[a-zA-Z]*[DcaoOP]|--directory-prefix|--(dump-header|cookie-jar|trace|trace-ascii|stderr|alt-svc|output-dir|append-output|output-file|etag-save|libcurl|hsts|save-cookies|rejected-log|warc-[a-z]+))$/
/** Subcommands of git that change the files named behind them. */
const gitEdits =
  /^(checkout|checkout-index|restore|rm|mv|clean|clone|init|worktree|bundle|config|merge-file|mailinfo|mailsplit|pack-objects|credential-store|maintenance|interpret-trailers|read-tree)$/

/**
 * A test for whether a command writes the file that one of its words names: the value of `-o`, the second operand of
 * `uniq`, the archive that `tar` makes, the files that it unpacks.
 *
 * @example `tar czf out.tgz src` → the word `out.tgz`
 */
export function outputTest(words: readonly BashWord[]): (at: number) => boolean {
  const name = commandName(words)
  switch (name) {
    case 'uniq':
    case 'xxd':
      return (at) => mayBeOperand(words, at, 1)
    case 'tar':
    case 'bsdtar':
      return outputOfTar(words)
    case 'zip':
      if (words.some(({ value }) => /^(-[a-zA-Z]*m|--move$)/.test(value ?? ''))) return () => true
      return (at) =>
        mayBeOperand(words, at, 0) ||
        /^(-[a-zA-Z]*O|--out?)$/.test(words[at - 1]?.value ?? '') ||
        namedOutput.test(words[at]?.value ?? '')
    case '7z':
      return (at) => operandAt(words, at) === 1
    case 'unzip':
      return (at) => operandAt(words, at) > 0 || /^-[a-zA-Z]*d$/.test(words[at - 1]?.value ?? '')
    case 'find':
      return outputOfFind(words)
    case 'git':
      if (gitEdits.test(verbOfGit(words))) return () => true
  }
  return outputOfOptions(name, words)
}

/** Files that options name, the value behind them or in the same word. */
function outputOfOptions(name: string, words: readonly BashWord[]): (at: number) => boolean {
  const writes = writers.has(name)
  const fetches = name === 'curl' || name === 'wget'
  const sends = name === 'curl' && words.some(({ value }) => /^(-[a-zA-Z]*T|--upl)/.test(value ?? ''))
  const own = making.get(commandName(toolOf(words)))
  const standsBefore = (option: string): boolean =>
    outputBefore.test(option) ||
    own?.test(option) === true ||
    (writes && outputFlag.test(option)) ||
    (fetches && downloads.test(option))
  const holds = (option: string): boolean =>
    namedOutput.test(option) ||
    (name === 'cmake' && /^-B./.test(option)) ||
    (writes && /^(-[a-zA-Z]*o.|-O[^\d]|--o(ut?[a-z-]*)?=)/.test(option)) ||
    (fetches && /^-[a-zA-Z]*[DcaOP]./.test(option))
  return (at) => {
    const before = words[at - 1]?.value ?? ''
    const value = words[at]?.value ?? ''
    if (before.startsWith('-') && standsBefore(before)) return true
    if (value.startsWith('-') && holds(value)) return true
    return (sends && /^file:/i.test(value)) || (name === 'wget' && /^(--e\w*=)?\w+=./.test(value))
  }
}

/** `git -C sub rm x`: rm. */
function verbOfGit(words: readonly BashWord[]): string {
  const valued = /^(-[cC]|--(git-dir|work-tree|namespace|exec-path|config-env))$/
  const found = words.find(
    ({ value }, at) => at > 0 && /^[a-z]/.test(value ?? '') && !valued.test(words[at - 1]?.value ?? ''),
  )
  return found?.value ?? ''
}

/** Files that find deletes, and those to which it prints. */
function outputOfFind(words: readonly BashWord[]): (at: number) => boolean {
  const deletes = words.some(({ value }) => value === '-delete')
  const end = words.findIndex(({ value }, at) => at > 0 && /^[-(!]/.test(value ?? ''))
  return (at) => {
    if (/^-(fprint0?|fprintf|fls)$/.test(words[at - 1]?.value ?? '')) return true
    return deletes && (end === -1 || at < end)
  }
}

/** A tar that unpacks writes files, and one that packs writes an archive. */
function outputOfTar(words: readonly BashWord[]): (at: number) => boolean {
  const flags = words[1]?.value ?? ''
  const short = words
    .slice(1)
    .flatMap(({ value }, i) => (/^-[a-zA-Z]/.test(value ?? '') || i === 0 ? [value ?? ''] : []))
  const does = (letters: RegExp, long: RegExp): boolean =>
    short.some((word) => letters.test(word)) || words.some(({ value }) => long.test(value ?? ''))
  if (words.some(({ value }) => value?.startsWith('--rem') === true)) return () => true
  const packs = does(/^-?[a-zA-Z]*[cruA]/, /^--(cr|app|up|cat|conc|del)/)
  const unpacks = does(/^-?[a-zA-Z]*x/, /^--(extract|get)/)
  return (at) => {
    const before = words[at - 1]?.value ?? ''
    const value = words[at]?.value ?? ''
    if (/^(-[a-zA-Z]*g|--(listed-inc|index-f)[a-z-]*)$/.test(before)) return true
    if (/^(-[a-zA-Z]*?g.|--(listed-inc|index-f)[a-z-]*=)/.test(value)) return true
    const isArchive =
      /^(-[a-zA-Z]*f|--fi(le?)?)$/.test(before) || (at === 2 && !flags.startsWith('-') && flags.includes('f'))
    if (isArchive || /^(-[a-zA-Z]*?f.|--fi(le?)?=)/.test(value)) return packs
    return at > 1 && unpacks
  }
}

interface Flags {
  readonly alone: RegExp
  readonly valued: RegExp
}

/** Flags that stand alone, and those before a value; behind any other flag there may be one. */
const flags: Readonly<Record<string, Flags>> = {
  uniq: { alone: /^(-[cdDiuz]+|--.*)$/, valued: /^-[fsw]$/ },
  xxd: { alone: /^-([abCdeEhiprRuv]+|ps|postscript|plain)$/, valued: /^-(c|cols|g|groupsize|l|len|n|name|o|s|seek)$/ },
  zip: { alone: /^(-[0-9ADEFghjJlLmoqrRSTuvXyz@]+|--[\w-]+(=.*)?)$/, valued: /^-[bPst]$/ },
}
const anyFlags: Flags = { alone: /^--|^-\w./, valued: /^(?!)/ }

/** The word may be the operand of this number: a word behind a flag that nobody knows may be the value of it. */
function mayBeOperand(words: readonly BashWord[], at: number, number: number): boolean {
  const { alone, valued } = flags[commandName(words)] ?? anyFlags
  let least = 0
  let most = 0
  for (const [i, word] of words.slice(0, at + 1).entries()) {
    if (i === 0 || isFlag(word)) continue
    const before = words[i - 1]
    const isBehindFlag = i > 1 && before !== undefined && isFlag(before)
    const isValue = isBehindFlag && valued.test(before.value ?? '')
    if (i === at) return !isValue && least <= number && number <= most
    if (isValue) continue
    most += 1
    if (!isBehindFlag || alone.test(before.value ?? '')) least += 1
  }
  return false
}

function isFlag({ value }: BashWord): boolean {
  return value !== '-' && value?.startsWith('-') === true
}

/** The how-manieth word it is that is no flag; -1 for a flag. */
function operandAt(words: readonly BashWord[], at: number): number {
  const word = words[at]
  if (word !== undefined && isFlag(word)) return -1
  return words.slice(1, at).filter((each) => !isFlag(each)).length
}
