import type { BashCommand } from './bash-command.ts'
import { codeOperands } from './bash-code.ts'
import { editsFiles, mayPatch, printsAnywhere } from './file-editors.ts'
import { takenBy } from './options/known-options.ts'
import { bringsProgram, isArgumentOfJq } from './options/program-options.ts'
import type { BashWord } from './bash-word.ts'
import { onlyChecks, toolOf } from './changed-trees.ts'
import { leavesFiles } from './data-verbs.ts'
import { takesList, takesPaths, takesWordsOfFile } from './fed-paths.ts'
import { runsOfXargs } from './found-runs.ts'
import { foundPlaces } from './listed-places.ts'
import { outputTest } from './output-files.ts'
import { showsHistory, verbAt } from './reach.ts'
import { getsActions, goesAnywhere, mayReadByOption, mayWriteByOption } from './unknown-options.ts'
import { takesData } from './runnable-texts.ts'
import { writesUnknownPlace } from './placed-files.ts'
import { byProgram, commandName, fromXargs, starts, unwrapped, wraps } from './bash-wrappers.ts'

/** Commands that open the files they are given. */
const readers = new Set(
  `cat tac head tail less more bat nl od xxd hexdump strings base64 base32 sort uniq cut paste rev fold wc diff cmp comm
  grep egrep fgrep rg ag ack sed awk gawk mawk jq yq column dd cp mv ln install rsync scp tar zip gzip bzip2 xz zstd 7z curl gpg
  openssl md5sum sha1sum sha256sum source . view`.split(/\s+/),
)
/** Commands whose first operand is a pattern or a program. */
const programFirst = /^([efr]?grep|rg|ag|ack|sed|[gm]?awk|jq|yq)$/
/** Flags whose value is a number, a field or a separator. */
const countFlags = byProgram<RegExp>({
  head: /^(-[nc]|--lines|--bytes)$/,
  tail: /^(-[nc]|--lines|--bytes)$/,
  cut: /^(-[bcdf]|--fields|--delimiter)$/,
  sort: /^-[kt]$/,
  grep: /^-[mABC]$/,
  egrep: /^-[mABC]$/,
  fgrep: /^-[mABC]$/,
  rg: /^-[mABCj]$/,
  awk: /^-[Fv]$/,
  gawk: /^-[Fv]$/,
  mawk: /^-[Fv]$/,
  fold: /^-[wbc]$/,
  nl: /^-[wvsib]$/,
  paste: /^-d$/,
  od: /^-[jNwA]$/,
  xxd: /^-[lsc]$/,
  base64: /^-w$/,
  uniq: /^-[fsw]$/,
})
const feeders = new Set('xargs parallel find fd fdfind'.split(' '))

/** Whether a command reads, or changes, files whose names only a running shell knows. */
interface UnseenFiles {
  readonly reads: boolean
  readonly edits: boolean
}

const allUnseen: UnseenFiles = { reads: true, edits: true }

/**
 * Says whether a command reads, or changes, files whose names only a running shell knows: they come from an expansion or
 * from its input. What a path rule forbids cannot be told from them.
 *
 * @example unseenFiles(cat "$file") // { reads: true, edits: false }
 */
export function unseenFiles(command: BashCommand): UnseenFiles {
  const { words, directories, patched, assignments } = command
  const inner = unwrapped(words)
  if (takesNames(command, inner) || takesWordsOfFile(inner)) return allUnseen
  // The files of a known list stand among the operands.
  const feeder = fromXargs(words)
  const fed = feeders.has(commandName(feeder)) && command.listed === undefined && !findsKnown(words)
  const run = fed ? feeder : inner
  const given = fed ? runsOfXargs(command).map((each) => toolOf(unwrapped(each.words))) : []
  const isElsewhere = goesAnywhere(inner)
  if (given.some(getsActions) || (isElsewhere && codeOperands(inner).length > 0)) return allUnseen
  const isLost = directories === null || isElsewhere
  let reads = given.some((each) => mayTouch(each, false))
  let edits = writesUnknownPlace(command) || given.some((each) => mayTouch(each, true))
  for (const at of starts(run)) {
    const rest = at === 0 ? run : run.slice(at)
    // Behind a wrapper a dot is a directory; as a command it reads a script.
    if (at > 0 && rest[0]?.value === '.') continue
    if (commandName(rest) === 'git' && inUnknownRepository(rest, assignments)) return allUnseen
    edits ||=
      (patched !== true && mayPatch(rest)) ||
      printsAnywhere(rest) ||
      writesUnseen(rest, isLost) ||
      mayWriteByOption(rest)
    reads ||= mayReadByOption(rest)
    // The mark of a list that is known stands for the files of that list.
    const named =
      command.found === true && command.listed !== undefined ? rest.filter(({ text }) => text !== '{}') : rest
    const unseen = (fed && at > 0) || namesUnseen(named) || (isLost && namesHere(rest))
    const isGiven = at === 0 && givesUnseen(rest)
    if (!unseen && !isGiven) continue
    const opens = (forEdits: boolean): boolean =>
      touches(rest, forEdits) ? unseen : isGiven && mayTouch(rest, forEdits)
    reads ||= opens(false)
    edits ||= opens(true)
  }
  return { reads, edits }
}

function touches(words: readonly BashWord[], edits: boolean): boolean {
  return editsFiles(words) || (!edits && (readers.has(commandName(words)) || opensNamed(words)))
}

/** A program that nobody knows may open whatever it is given. */
function mayTouch(words: readonly BashWord[], edits: boolean): boolean {
  const name = commandName(words)
  const isRead = readingVerbs.has(name) && !(name === 'cmake' && words[1]?.value === '-E')
  return !(takesData(words) || wraps(words) || isRead || (edits && onlyReads(words)))
}

/** `zip -@ z < list`, `find | cpio -o`, `find | pax -w`: the names of the files come in. */
export function takesNames({ words, fed, listed }: BashCommand, inner = unwrapped(words)): boolean {
  if (fed !== undefined || listed !== undefined) return false
  if (takesPaths(inner)) return true
  const name = commandName(inner)
  return name === 'cpio' || name === 'pax' || (name === 'zip' && inner.some(({ value }) => value === '-@'))
}

/** The commands that find runs stand on the line by themselves, with the places of their files. */
function findsKnown(words: readonly BashWord[]): boolean {
  return commandName(words) === 'find' && foundPlaces(words) !== null
}

/** `sort -o "$file"`, `find . -fprint "$file"`, `cd "$x" && git init n` */
function writesUnseen(words: readonly BashWord[], isLost: boolean): boolean {
  if (!isLost && words.every(({ value }) => value !== null)) return false
  const isOutput = outputTest(words)
  return words.some(({ value, from }, at) => {
    const unseen = value === null ? from !== 'number' : isLost && !/^[-/~]/.test(value)
    return at > 0 && unseen && isOutput(at)
  })
}

/** Commands of git that open files of the disk under the names that they get. */
function opensNamed(words: readonly BashWord[]): boolean {
  if (commandName(words) !== 'git') return false
  const verb = words[verbAt(words)]?.value ?? ''
  if (/^(blame|annotate|hash-object|interpret-trailers)$/.test(verb)) return true
  const flag = verb === 'config' ? /^(-f|--fi|--blob)/ : /^--no-i/
  return words.some(({ text }) => flag.test(text))
}

/** `git -C "$dir" show`, and what runs in each submodule. */
function inUnknownRepository(words: readonly BashWord[], assignments: BashCommand['assignments']): boolean {
  const at = verbAt(words)
  const each = words.findIndex(({ value }) => value === 'foreach')
  const inner = each === -1 ? [] : words.slice(each + 1).filter(({ value }) => value?.startsWith('-') !== true)
  if (each > at && (commandName(inner) !== 'git' || showsHistory(inner))) return true
  if (words[at]?.value === 'submodule' && words[at + 1]?.value === null) return true
  const unknown =
    words.slice(0, at).some(({ value }) => value === null) || assignments.some((text) => /^GIT_\w+=.*[$`]/s.test(text))
  return unknown && showsHistory(words)
}

/** In a directory that nobody knows a name may be that of any file. */
function namesHere(words: readonly BashWord[]): boolean {
  return words.some(({ value }, at) => at > 0 && value !== null && !/^[-~/]/.test(value))
}

/** Programs that never change a file that they are given, unless a redirect does. */
const onlyReading = new Set(
  `cat tac head tail less more bat nl od xxd hexdump strings base64 base32 sort uniq cut paste rev fold wc diff cmp comm grep
  egrep fgrep rg ag ack jq md5sum sha1sum sha256sum ls stat file tree du df find fd fdfind test [ [[ echo printf cd pushd
  which type realpath readlink basename dirname tr column source . bash sh node python python3 awk gawk sed tar zip unzip
  true false : read export pwd staticcheck psql curl date seq sleep cp scp rsync install curl wget
  mapfile readarray cksum sum sha224sum sha384sum sha512sum b2sum expand unexpand fmt pr join tsort nm size readelf yq eza exa lsd
  ssh-add`.split(/\s+/),
)

/** Subcommands under which a program leaves the files alone that lie where it is told to look. */
const readingVerbs = byProgram<RegExp>({
  go: /^(build|test|vet|run|list|doc|env|version|mod|install)$/,
  cargo: /^(build|check|test|clippy|run|bench|doc|tree|metadata)$/,
  gradle: /^(build|test|check|assemble|tasks|dependencies)$/,
  docker: /^(build|buildx|ps|logs|images|inspect|pull|push|tag|compose|version|info)$/,
  cmake: /^(-S|-B|--build)$/,
  kubectl: /^(get|describe|logs|apply|rollout|top|explain|version|diff)$/,
  gh: /^(pr|issue|run|api|auth|release|workflow|search)$/,
  pip: /^(install|list|show|freeze|check|uninstall)$/,
  pip3: /^(install|list|show|freeze|check|uninstall)$/,
})

const interpreters = /^(node|python[\d.]*|bash|sh|source|\.)$/
const scriptRunners = /^(node|python[\d.]*|(ba|da|k|z)?sh|source|\.|tsx|ts-node|bun|ruby|php)$/
/** The program stands on the line, or is a module, and may do anything with what it is given. */
const otherProgram = /^(-|-[a-z]*[cepm]|--eval|--print)$/

/** A script without arguments: what it does to other files is not said on the line. */
function runsAlone(words: readonly BashWord[]): boolean {
  if (words.some(({ value }) => otherProgram.test(value ?? ''))) return false
  return words.slice(1).filter(({ value, text }) => !(value ?? text).startsWith('-')).length < 2
}

/**
 * The file that an interpreter runs: it reads that one only.
 *
 * @example scriptOf(`python3 -u build.py src`) // 'build.py'
 */
export function scriptOf(words: readonly BashWord[]): string | undefined {
  const tool = toolOf(unwrapped(words))
  if (!scriptRunners.test(commandName(tool)) || tool.some(({ value }) => otherProgram.test(value ?? '')))
    return undefined
  return tool.slice(1).find(({ value }) => value !== null && !value.startsWith('-'))?.value ?? undefined
}

/** `cargo run -- x`, `go run . x`: the program of the project gets a file. */
function startsBuilt(name: string, [, verb, ...rest]: readonly BashWord[]): boolean {
  if (verb?.value !== 'run' || (name !== 'cargo' && name !== 'go')) return false
  const given = rest.filter(
    ({ text }, at) => !text.startsWith('-') && takenBy(name, rest[at - 1]?.text ?? '')?.next !== 'value',
  )
  return given.length > (name === 'go' ? 1 : 0)
}

/** Says whether a command is known to leave the files alone that it is given to read. */
export function onlyReads(words: readonly BashWord[]): boolean {
  const inner = unwrapped(words)
  if (starts(inner).length > 1) return false
  const tool = toolOf(inner)
  const name = commandName(tool)
  if (name === 'git') return leavesFiles(tool)
  if (interpreters.test(name) && !runsAlone(tool)) return false
  if (startsBuilt(name, tool)) return false
  if (readingVerbs.get(name)?.test(tool[1]?.value ?? '') === true)
    return !tool.some(({ value }) => value === '--fix' || value === 'cp')
  return onlyReading.has(name) || onlyChecks(inner)
}

/** A word that is no option, no setting and no text of the environment is only known when it runs. */
function givesUnseen(words: readonly BashWord[]): boolean {
  return words.some(
    ({ value, text, from }, at) =>
      at > 0 &&
      value === null &&
      !/^(-|\w+=)/.test(text) &&
      // A text of the environment may have another one on the line beside it.
      (from === undefined || (from === 'env' && /\$\{\w+:?[-+]/.test(text))),
  )
}

function namesUnseen(words: readonly BashWord[]): boolean {
  const name = commandName(words)
  if (takesList(words)) return true
  if (words.every(({ value }) => value !== null)) return false
  const program = programFirst.test(name) ? programAt(words) : -1
  const counts = countFlags.get(name)
  return words.some(
    (word, at) =>
      at > 0 &&
      word.value === null &&
      word.from !== 'number' &&
      word.from !== 'pipe' &&
      at !== program &&
      counts?.test(words[at - 1]?.value ?? '') !== true &&
      !isText(name, words, at) &&
      !isOption(word),
  )
}

/** The first word that is no flag, known or not; none when flags bring the program. */
function programAt(words: readonly BashWord[]): number {
  if (bringsProgram(words)) return -1
  return words.findIndex((word, at) => at > 0 && (!isOption(word) || words[at - 1]?.text === '--'))
}

/** Options of curl whose value is a text, but for one that begins with `@`. */
const textOptions = /^(-[HdAuX]|--(header|data|data-raw|user-agent|user|request))$/
/** Options of curl without a value. */
const switches =
  /^(-[sSfiIkLvGgN]+|--(silent|show-error|fail|include|head|location|insecure|verbose|compressed|no-buffer))$/

/** `curl -H "Authorization: Bearer $T"`, `jq --arg v "$V"`: an unknown text that names no file. */
function isText(name: string, words: readonly BashWord[], at: number): boolean {
  const word = words[at]
  if (word === undefined || word.splits === true) return false
  if (name === 'jq') return isArgumentOfJq(words, at)
  const before = words[at - 2]?.value ?? ''
  const follows = textOptions.test(words[at - 1]?.value ?? '') && (!before.startsWith('-') || switches.test(before))
  return name === 'curl' && follows && /^["']?[\w{[]/.test(word.text)
}

function isOption({ text }: BashWord): boolean {
  return text.startsWith('-')
}
