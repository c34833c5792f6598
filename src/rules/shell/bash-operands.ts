import type { BashCommand } from './bash-command.ts'
import { onlyReads } from './bash-reads.ts'
import { changedTrees, toolOf } from './changed-trees.ts'
import { foundRuns } from './found-runs.ts'
import { bringsProgram } from './options/program-options.ts'
import { farthestForms, numberedFiles } from './unknown-options.ts'
import { mayBeWritten } from './options/known-options.ts'
import { defaultsIn, wordPaths, piecesIn } from './options/word-paths.ts'
import { writers, writtenTest } from './output-files.ts'
import { callsOfVariables, placedInside, variableOperands } from './placed-files.ts'
import { changesOperands, placesSet, placesTold } from './bash-places.ts'
import { commandName, starts, unwrapped, spelledOut } from './bash-wrappers.ts'
import { copiers, editors, editsFiles, secondWriters } from './file-editors.ts'
import { codeOperands, throughTrees } from './bash-code.ts'
import { isPattern } from './code/code-words.ts'
import { resourceTest } from './data-verbs.ts'
import { fedPaths } from './fed-paths.ts'
import { shownById } from './git/git-contents.ts'
import { everythingBelow, kept, reachOf, storedBelow, verbAt, type Below, type Operand } from './reach.ts'
import { hasOptions, holdsSettings, type BashWord } from './bash-word.ts'
import { rgPlaces } from './tools/rg-places.ts'
import { servedPlaces, showsEnvironment, takesUnsaid } from './tools/served-places.ts'

const programFirst = new Set('grep egrep fgrep rg sed awk gawk mawk jq perl ag ack'.split(' '))
const talkers = new Set(['echo', 'printf', ':', 'true', 'false'])

/**
 * Finds all in a command's arguments that may be a path, read generously: values of `--flag=value`,
 * `key=value` and `REV:path`, paths glued to a short flag, `file://` addresses.
 *
 * @example `git show HEAD:.env` → operands `show`, `HEAD:.env` and `.env`
 */
export function operandsOf(command: BashCommand): readonly Operand[] {
  const words = spelledOut(unwrapped(command.words))
  const places = starts(words)
  // Behind a wrapper any word may be the command that decides what becomes of the others.
  const plain = places.length < 2 ? plainOperands(words) : behindWrapper(words, places)
  // Of many files any may be the second one.
  const writes = command.found === true && secondWriters.has(commandName(words))
  const named = [
    ...(writes ? plain.map((operand): Operand => ({ ...operand, access: 'edit' })) : plain),
    ...treesOf(words, places.slice(0, mostPlaces), command.listed !== undefined),
  ]
  return [
    ...named,
    ...fedOperands(command, words),
    ...listedOperands(command, words),
    ...assignedOperands(command, words),
    ...namedElsewhere(named, words),
  ]
}

/** The files, and the directories, that texts name which the command gets to read. */
function fedOperands(command: BashCommand, words: readonly BashWord[]): readonly Operand[] {
  const { fed, written } = command
  if (fed === undefined && written === undefined) return nobody
  const files = fedPaths(command).map((path): Operand => ({ path, access: 'edit', glob: isPattern(path), loose: true }))
  return fed === undefined ? files : [...files, ...throughTrees(commandName(words), fed.join('\n'))]
}

/** The files of the list that the command gets to read. */
function listedOperands(command: BashCommand, words: readonly BashWord[]): readonly Operand[] {
  const { listed } = command
  if (listed === undefined) return nobody
  const [run = command] = commandName(words) === 'xargs' ? foundRuns(command) : []
  if (talkers.has(commandName(run.words))) return nobody
  // Another program may do anything with the files of a list; these write the second one.
  const unknown = secondWriters.has(commandName(run.words)) || (foundRuns(command).length === 0 && !onlyReads(words))
  const access = editsFiles(words) || unknown ? 'edit' : 'read'
  // A directory of the list is gone through by what goes through directories.
  const below = unknown || reachOf(words) !== null ? { ...listed.below, deep: true as const } : listed.below
  return listed.paths.map((path) => ({ path, access, glob: /[*?[]/.test(path), loose: true, below }))
}

/** The files that variables name which the command sets. */
function assignedOperands(command: BashCommand, words: readonly BashWord[]): readonly Operand[] {
  const { assignments } = command
  if (assignments.length === 0 && !holdsSettings(command.words)) return nobody
  const made = changesOperands(command) ? placesSet(command) : nothing
  const moved = assignments.some(movesCheckout) || words.some(({ text }) => movesCheckout(text))
  return [
    ...variableOperands(command),
    ...callsOfVariables(command).flatMap(plainOperands),
    ...made.map((path): Operand => ({ path, access: 'edit', glob: false, loose: true })),
    ...(moved ? held : nobody),
  ]
}

/** The files of the repository have other names for git, which no rule knows. */
function movesCheckout(text: string): boolean {
  return /^GIT_(DIR=|WORK_TREE=|CONFIG_\w+=core\.worktree)/i.test(text)
}

/** `tar -C secrets c key`: the names of files where the program goes before it opens them. */
function namedElsewhere(named: readonly Operand[], words: readonly BashWord[]): readonly Operand[] {
  if (named.length === 0 || !hasOptions(words)) return nobody
  const [, ...places] = placesTold(words)
  return places.flatMap((place) =>
    named.flatMap((operand) =>
      operand.fromTop !== undefined || /^[/~]/.test(operand.path)
        ? []
        : [{ ...operand, path: `${place}/${operand.path}`, loose: true }],
    ),
  )
}

/** More words than this behind a wrapper are looked at only once. */
const mostPlaces = 64

function behindWrapper(words: readonly BashWord[], places: readonly number[]): readonly Operand[] {
  const known = places.filter((at) => at === 0 || isKnown(commandName(words.slice(at, at + 1)))).slice(0, mostPlaces)
  return [...plainOperands(words), ...known.flatMap((at) => (at === 0 ? [] : plainOperands(fedWords(words, at))))]
}

/** The words of a command behind a wrapper; `xargs git show -s` gets the ids of objects besides. */
function fedWords(words: readonly BashWord[], at: number): readonly BashWord[] {
  const own = spelledOut(words.slice(at))
  return commandName(own) === 'git' && /^(xargs|parallel)$/.test(commandName(words)) ? [...own, fedWord] : own
}

const fedWord: BashWord = { text: '{}', value: null, glob: false }

/** A program that does something else with its arguments than to read them. */
function isKnown(name: string): boolean {
  return editors.has(name) || copiers.has(name) || writers.has(name) || programFirst.has(name) || known.has(name)
}

const known = new Set('git tar bsdtar zip unzip 7z diff ln uniq xxd perl ed'.split(' '))

/** curl takes `{…}` and `[…]` in an address as a shell does. */
function isMany({ value }: BashWord): boolean {
  return /^file:.*[[{]/i.test(value ?? '')
}

const held: readonly Operand[] = [{ path: '.', access: 'read', glob: false, loose: true, below: kept }]
const looks = new Set('ls du stat tree test [ [[ rm mkdir chmod chown file wc cd git'.split(' '))
/** A longer word is not taken to pieces. */
const longestPieces = 4_000

/** The operands as they stand there, and as they count where a word comes to be an option or a verb. */
function plainOperands(words: readonly BashWord[]): readonly Operand[] {
  const forms = farthestForms(words)
  const named = namedOperands(words)
  return forms.length === 0 ? named : [...named, ...forms.flatMap((form) => namedOperands(form).map(asTold))]
}

/** A file that is perhaps changed. */
function asTold(operand: Operand): Operand {
  return operand.access === 'read' ? operand : { ...operand, access: 'read', told: true }
}

function namedOperands(words: readonly BashWord[]): readonly Operand[] {
  const name = commandName(words)
  if (talkers.has(name)) return nobody
  const end = words.findIndex(({ value }) => value === '--')
  const program = programAt(words)
  const reach = reachOf(words)
  // A new worktree gets files of the repository, and has none of its own.
  const isNew = name === 'git' && words[verbAt(words)]?.value === 'worktree'
  const below = (isNew ? null : reach) ?? undefined
  const isWritten = writtenTest(words)
  const onlyLooks = looks.has(name)
  const isResource = resourceTest(words)
  const tool = commandName(toolOf(words))
  const named: Operand[] = [
    ...placedInside(words),
    ...revisionFiles(words),
    ...numberedFiles(words),
    ...takenUnsaid(words, tool),
  ]
  for (const [index, word] of words.entries()) {
    for (const path of defaultsIn(word)) named.push({ path, access: 'edit', glob: false, loose: true, below })
    const { value } = word
    if (index === 0 || value === null || isResource?.(index) === true) continue
    // Behind two dashes a word with a dash is a name, unless the program hands the words on.
    const isName = end !== -1 && index > end && value.startsWith('-')
    const paths = isName ? [value, ...wordPaths(value)] : wordPaths(value)
    if (paths.length === 0) continue
    const access = isWritten(index) ? 'edit' : 'read'
    const hasSigns = /[@=:,;<]/.test(value)
    const told = mayBeWritten(tool, value, words[index - 1]?.value ?? '') || undefined
    const many = hasSigns && isMany(word)
    for (const text of paths) {
      const path = many ? text.replaceAll(/[[{][^\]}]*[\]}]/g, '*') : text
      const inside = (onlyLooks ? undefined : storedBelow(path)) ?? below
      named.push({ path, access, glob: word.glob || many, loose: index === program, below: inside, told })
    }
    if (hasSigns && value.length <= longestPieces)
      for (const path of piecesIn(value)) named.push({ path, access, glob: false, loose: true, below, told })
  }
  named.push(...codeOperands(words), ...(reach === null ? nobody : hereToo(words, program, reach)))
  return named
}

/** Files that a program takes although nothing of its words says so: a directory that it serves, `.env`. */
function takenUnsaid(words: readonly BashWord[], tool: string): readonly Operand[] {
  if (!takesUnsaid(tool) && !takesUnsaid(commandName(words))) return nobody
  const own = toolOf(words)
  const tools = own === words ? [words] : [words, own]
  return tools.flatMap((each) => {
    if (!takesUnsaid(commandName(each))) return []
    const values = [commandName(each), ...each.slice(1).map(({ value, text }) => value ?? text)]
    const served = servedPlaces(values).map((path): Operand => ({ ...read, path, ...everythingBelow }))
    return showsEnvironment(values) ? [...served, { ...read, path: '.env' }] : served
  })
}

const read = { access: 'read', glob: false, loose: true } as const

/**
 * `HEAD:src/a.ts`, `:0:a.ts`: git reads the name from the top of the repository, unless it begins with `./` or `../`
 * (gitrevisions(7)).
 */
function revisionFiles(words: readonly BashWord[]): readonly Operand[] {
  if (commandName(words) !== 'git') return nobody
  // A revision may hold a colon of its own: `HEAD^{/fix: it}:a.ts`, `main@{10:00}:a.ts`.
  const paths = words.flatMap(({ value }) =>
    value?.includes(':') === true ? [...value.matchAll(/(?<=:)(?!\.{0,2}\/)(?=(.+))/gs)] : [],
  )
  if (paths.length === 0) return nobody
  const fromTop = placesTold(words)
  return paths.map(([, path = '']) => ({ path, access: 'read', glob: false, loose: true, fromTop }))
}

function treesOf(words: readonly BashWord[], places: readonly number[], given: boolean): readonly Operand[] {
  const trees: Operand[] = []
  for (const at of places) {
    const own = at === 0 ? words : spelledOut(words.slice(at))
    const forms = farthestForms(own)
    for (const form of forms.length === 0 ? [own] : forms)
      for (const tree of changedTrees(form, given)) trees.push({ ...tree, access: 'edit', glob: false, loose: true })
  }
  return trees
}

const nobody: readonly Operand[] = []
const nothing: readonly string[] = []

/** Where these start is not said by their operands. */
const ownStart = new Set(['git', 'rg', 'ag', 'ack', 'ug'])
/** The word behind one of these is its value. */
const searchValue = /^(-[a-zA-Z]*[efmABCdD]|--(in|ex|reg|file|max|after|before|context|dir|dev)[a-z-]*)$/
const searchers = new Set('grep egrep fgrep ugrep ug rg ag ack git'.split(' '))

/** Without a directory they start in the one they run in. */
function hereToo(words: readonly BashWord[], program: number, below: Below): Operand[] {
  if (!searchers.has(commandName(words))) return []
  const starts = words.filter(
    ({ value }, at) =>
      at > 0 &&
      at !== program &&
      value !== null &&
      !/^(-|$)/.test(value) &&
      !searchValue.test(words[at - 1]?.value ?? ''),
  )
  const end = words.findIndex(({ value }) => value === '--')
  const elsewhere = words.some(({ text }) => /^--(git-dir|work-tree)/.test(text))
  const verb = verbAt(words)
  const byId = commandName(words) === 'git' && shownById(words[verb]?.value ?? '', words.slice(verb + 1))
  // All that follows names files, also without `--`.
  const adds = /^(add|stage)$/.test(words[verb]?.value ?? '') && !words.some(({ text }) => text.startsWith('--path'))
  const from =
    end === -1 && adds ? words.findIndex(({ value }, at) => at > verb && value?.startsWith('-') !== true) : end + 1
  const limited =
    !elsewhere &&
    !byId &&
    from > 0 &&
    from < words.length &&
    words.slice(from).every(({ value }) => /^(?!\/|-|(.*\/)?\.\.(\/|$))[\w./-]+$/.test(value ?? '*'))
  const whole = below.history === true && !limited ? { ...below, whole: true as const } : below
  const places = commandName(words) === 'rg' ? rgPlaces(words) : null
  if (places !== null && places.length > 0) return []
  if (below.named === true || (starts.length > 0 && !(ownStart.has(commandName(words)) && !limited))) return []
  return [{ path: '.', access: 'read', glob: false, loose: true, below: whole }]
}

/** The place of grep's pattern or sed's program: the first operand, unless a flag brings it. */
function programAt(words: readonly BashWord[]): number {
  if (!programFirst.has(commandName(words)) || bringsProgram(words)) return -1
  return words.findIndex(
    ({ value }, i) => i > 0 && value !== null && (!value.startsWith('-') || words[i - 1]?.value === '--'),
  )
}
