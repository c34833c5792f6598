import { hasOptions, type BashWord } from './bash-word.ts'
import { byProgram, commandName } from './bash-wrappers.ts'
import { toolOf } from './changed-trees.ts'
import { copiers, editsFiles } from './file-editors.ts'
import { targetDirectory } from './placed-files.ts'
import { verbAt } from './reach.ts'
import { givenOption, gives, type Option } from './options/given-option.ts'
import { takenBy } from './options/known-options.ts'

const list = (names: string): readonly string[] => names.split(/\s+/)

/** Programs that write the file which some flags name. */
export const writers = new Set(
  'sort curl wget gcc g++ cc clang ld go rustc pandoc openssl esbuild tree git xmllint dot shuf psql pg_dump mysqldump less'.split(
    ' ',
  ),
)
const output: Option = {
  letters: 'oO',
  names: ['output'],
  oneDash: true,
  written: /^--?(o(ut?[a-z-]*)?|(cover|cpu|mem|block|mutex)profile|trace)(?=$|=)=?/,
}
/** `--cpu-prof-dir=x`, `--log-file=x`: whatever the program is. */
const namedOutput = /^--([\w-]*(out|dest|prof|dump|save|log-file|report-d|diagnostic-d|target-d)[\w-]*|log)=./
const outputBefore =
  /^--([\w-]+-)?(log|log-?file|output[\w-]*|out-?(file|dir)|destination|dest-?dir|target(-dir)?|report(-dir)?|prefix|dump-[\w-]+|cache-(location|dir)|snapshot-blob)$/
/** Programs with options of their own for what they write. */
const making = byProgram<Option>({
  pip: { letters: 'td' },
  pip3: { letters: 'td' },
  docker: { letters: 'o', behind: '' },
  podman: { letters: 'o', behind: '' },
  gh: { letters: 'DO', behind: '' },
  psql: { letters: 'Lo', names: ['log-file', 'output'] },
  cmake: { letters: 'B', names: ['install-prefix'], behind: '' },
  eslint: { letters: 'o', behind: '' },
  ruff: { letters: 'o', behind: '' },
  sort: { letters: 'oT', names: ['output', 'temporary-directory'] },
  curl: {
    letters: 'Dcao',
    names: list(
      'output output-dir dump-header cookie-jar trace trace-ascii stderr alt-svc etag-save libcurl hsts ssl-sessions',
    ),
  },
  wget: {
    letters: 'aoOP',
    names: list(
      `output-document output-file append-output directory-prefix save-cookies rejected-log hsts-file warc-file warc-dedup
      warc-tempdir`,
    ),
  },
  rsync: {
    letters: 'T',
    names: list('temp-dir partial-dir backup-dir log-file write-batch only-write-batch'),
  },
  gawk: { letters: 'dpo', names: list('dump-variables profile pretty-print') },
  less: { letters: 'oO', names: ['log-file', 'LOG-FILE'] },
  zip: { letters: 'Ob', names: ['output-file', 'logfile-path', 'temp-path'], written: /^-[a-zA-Z]*lf/ },
  tar: { letters: 'g', names: ['listed-incremental', 'index-file', 'volno-file'] },
})
/** The same for the commands of git. */
const madeByGit = byProgram<Option>({
  archive: { letters: 'o', names: ['output'] },
  'format-patch': { letters: 'o', names: ['output-directory'] },
  bugreport: { letters: 'o', names: ['output-directory'] },
  diagnose: { letters: 'o', names: ['output-directory'] },
  'index-pack': { letters: 'o' },
  mailsplit: { letters: 'o' },
  'fast-export': { names: ['export-marks'] },
  'fast-import': { names: ['export-marks'] },
  'commit-graph': { names: ['object-dir'] },
})
const anyOfGit: Option = { names: ['output'] }
/** A file that only the index gets is written by the next checkout. */
const entered: Option = { names: ['cacheinfo'] }
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
      // A pattern may find the second one as well.
      return (at) => mayBeOperand(words, at, 1) || words[at]?.glob === true
    case 'tar':
    case 'bsdtar':
      return outputOfTar(words)
    case 'zip':
      return outputOfZip(words)
    case '7z':
      return (at) => operandAt(words, at) === 1
    case 'unzip':
      return (at) => operandAt(words, at) > 0 || /^-[a-zA-Z]*d$/.test(words[at - 1]?.value ?? '')
    case 'find':
      return outputOfFind(words)
    case 'git':
      return outputOfGit(words)
  }
  return outputOfOptions(name, words)
}

const none: Option = {}
const never = (): boolean => false

/** A test for the values of an option that names what is made, and of options that say so by their names. */
function outputOf(option: Option, words: readonly BashWord[]): (at: number) => boolean {
  if (!hasOptions(words)) return never
  const tool = commandName(toolOf(words))
  const isValue = (at: number, of: number): boolean =>
    givenOption(words, of, option)?.at === at && takenBy(tool, words[of]?.value ?? '')?.next !== 'value'
  return (at) =>
    isValue(at, at - 1) ||
    isValue(at, at) ||
    outputBefore.test(words[at - 1]?.value ?? '') ||
    namedOutput.test(words[at]?.value ?? '')
}

/** Files that options name, the value behind them or in the same word. */
function outputOfOptions(name: string, words: readonly BashWord[]): (at: number) => boolean {
  const tool = commandName(toolOf(words))
  const isOutput = outputOf(making.get(tool) ?? (writers.has(tool) ? output : none), words)
  if (isOutput === never && name !== 'wget') return never
  const sends = name === 'curl' && gives(words, { letters: 'T', names: ['upload-file'] })
  return (at) => {
    if (isOutput(at)) return true
    const value = words[at]?.value ?? ''
    return (sends && /^file:/i.test(value)) || (name === 'wget' && /^(--e\w*=)?\w+=./.test(value))
  }
}
function outputOfGit(words: readonly BashWord[]): (at: number) => boolean {
  const verb = words[verbAt(words)]?.value ?? ''
  if (gitEdits.test(verb) || (verb === 'update-index' && gives(words, entered))) return () => true
  const isOwn = outputOf(madeByGit.get(verb) ?? none, words)
  const isOutput = outputOf(anyOfGit, words)
  return (at) => isOwn(at) || isOutput(at)
}

/** A zip that moves files removes them. */
function outputOfZip(words: readonly BashWord[]): (at: number) => boolean {
  if (gives(words, { letters: 'm', names: ['move'] })) return () => true
  const isOutput = outputOf(making.get('zip') ?? none, words)
  return (at) => mayBeOperand(words, at, 0) || isOutput(at)
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

const archive: Option = { letters: 'f', names: ['file'] }
const packing: Option = { letters: 'cruA', names: list('create append update catenate concatenate delete') }
const unpacking: Option = { letters: 'x', names: ['extract', 'get'] }

/** A tar that unpacks writes files, and one that packs writes an archive. */
function outputOfTar(words: readonly BashWord[]): (at: number) => boolean {
  if (gives(words, { names: ['remove-files'] })) return () => true
  // The first word may leave out its dash.
  const first = words[1]?.value ?? ''
  const letters = first.startsWith('-') ? '' : first
  const packs = /[cruA]/.test(letters) || gives(words, packing)
  const unpacks = letters.includes('x') || gives(words, unpacking)
  const isListing = outputOf(making.get('tar') ?? none, words)
  const isArchive = (at: number): boolean =>
    (at === 2 && letters.includes('f')) || [at - 1, at].some((of) => givenOption(words, of, archive)?.at === at)
  return (at) => isListing(at) || (isArchive(at) ? packs : at > 1 && unpacks)
}

/** The word may be the operand of this number: a word behind an option that nobody knows may be the value of it. */
function mayBeOperand(words: readonly BashWord[], at: number, number: number): boolean {
  const name = commandName(words)
  let least = 0
  let most = 0
  for (const [i, word] of words.slice(0, at + 1).entries()) {
    if (i === 0 || isFlag(word)) continue
    const before = takenBy(name, words[i - 1]?.value ?? '')?.next ?? 'free'
    if (i === at) return before !== 'value' && least <= number && number <= most
    if (before === 'value') continue
    most += 1
    // `+1` is an old way to write an option.
    if (before === 'free' && word.value?.startsWith('+') !== true) least += 1
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

/** A test for the words whose files the command writes. */
export function writtenTest(words: readonly BashWord[]): (at: number) => boolean {
  const name = commandName(words)
  const copies = copiers.has(name) && !words.some(({ value }) => /^(-[a-zA-Z]*t|--(t|remove-source))/.test(value ?? ''))
  const links = name === 'cp' && words.some(({ value }) => /^(-[a-zA-Z]*[ls]|--(l|sy))/.test(value ?? ''))
  const makes = name === 'install' && gives(words, { letters: 'd', names: ['directory'] })
  const isOutput = outputTest(words)
  const isTarget = targetTest(words)
  if (editsFiles(words) && (!copies || links || makes)) return () => true
  const last = copies ? words.length - 1 : -1
  return (at) => at === last || isOutput(at) || isTarget(at)
}

/** `cp -tDIR`, `--targ=DIR`: a test for the directory that is written into. */
function targetTest(words: readonly BashWord[]): (at: number) => boolean {
  const name = commandName(words)
  if (!copiers.has(name) && name !== 'mv' && name !== 'ln') return never
  return (at) => [at - 1, at].some((of) => givenOption(words, of, targetDirectory)?.at === at)
}
