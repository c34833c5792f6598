import type { BashWord } from './bash-word.ts'
import { commandName, programName, programOf } from './bash-wrappers.ts'
import { isPattern, namedBehindMoves, patternsIn, readings, readsEnvironment, treesIn } from './code/code-words.ts'
import { joinedNames, namesInPlaces, saysHome } from './code/placed-names.ts'
import { runnableWords } from './data-verbs.ts'
import { everythingBelow, storedBelow, type Operand } from './reach.ts'
import { takesData, textsForGit } from './runnable-texts.ts'

/** Programs that take a program text as an argument and may start commands from it. */
const interpreters = new Set(
  `python pypy perl ruby node nodejs deno bun php lua luajit R Rscript julia awk gawk mawk nawk busybox vi vim nvim ex ed
  emacs make gmake expect tclsh osascript pwsh powershell gdb lldb sed tar rsync git tmux screen ssh hyperfine nix-shell
  parallel watch entr trap alias complete compgen mapfile readarray bind fc concurrently at batch npm npx script
  su sqlite3 psql mysql gnuplot tsx ts-node split zip strace ltrace`.split(/\s+/),
)

/** `python3.12` is python. */
function interprets(name: string): boolean {
  return interpreters.has(name) || (endsInNumber.test(name) && interpreters.has(name.replace(/[\d.]+$/, '')))
}

const endsInNumber = /[\d.]$/
const nothing: readonly string[] = []

/** Where one command ends and another begins in nearly every language: quotes, brackets, separators. */
const seams = /[;&|\n`"'(){}!=<>,]+/

/**
 * Pieces of program texts in a command's arguments that could be commands themselves: for forbidding rules only,
 * because nobody can tell from the outside whether they are.
 *
 * @example `python3 -c 'os.system("rm a.txt")'` → ['os.system', 'rm a.txt']
 */
export function codePieces(words: readonly BashWord[]): readonly string[] {
  const name = commandName(words)
  if (!interprets(name)) return nothing
  const texts = words.flatMap((word, at) => (at > 0 && isProgram(name, words, at) ? (word.value ?? word.text) : []))
  if (texts.length === 0) return nothing
  const said =
    name === 'sed'
      ? texts.flatMap((text) =>
          [...text.matchAll(replaced)].map((found) => (found[2] ?? '').replaceAll(/\\(.)/g, '$1')),
        )
      : []
  return [...texts, ...said]
    .flatMap((text) => text.split(seams))
    .flatMap((piece) => {
      const plain = piece.trim()
      if (plain === '') return []
      if (name === 'git') return [plain, `git ${plain}`]
      // Interpreters have words of their own for "run": `1e rm x` in sed, `spawn rm x` in expect.
      const run = plain.replace(/^([\d,$\s]*e|spawn|send|exec|shell|system|sh)\s+/, '')
      // The slashes of sed are no paths.
      return name === 'sed' && run === plain && !said.includes(piece)
        ? [plain]
        : [plain, run, run.replace(/^[\w./~-]*\//, '')]
    })
}

/** The replacement in `s/x/y/e` of sed, which sed then runs. */
const replaced = /s([^\w\s\\])(?:\\.|(?!\1)[^\\])*\1((?:\\.|(?!\1)[^\\])*)\1[gpIiMm\d]*e/gs

function isProgram(name: string, words: readonly BashWord[], at: number): boolean {
  // Texts for git, such as a commit message, are not run; its configuration may be.
  if (name === 'git') return /^(-c$|--config-env$|alias\.|-x|--exec)/.test(words[at - 1]?.value ?? '')
  return /\s/.test(words[at]?.value ?? words[at]?.text ?? '')
}

/** `uv run python -c …`, `docker exec app node -e …`: the words from the interpreter on, where the program may run its words. */
function behindRunner(words: readonly BashWord[]): readonly BashWord[] {
  const first = words.findIndex((word) => interprets(programOf(word)))
  if (first < 1) return words
  const runnable = runnableWords(
    commandName(words),
    words.map(({ value }) => value ?? ''),
  )
  if (runnable.length === 0 || (runnable.length === words.length && takesData(words))) return words
  const at = runnable.findIndex((value) => interprets(programName(value)))
  return at === -1 ? words : words.slice(words.length - runnable.length + at)
}

/** In their programs the names of files stand without quotes. */
const withoutQuotes = /^(git|g?make|n?vim?|ex|gdb|lldb|tclsh|expect|sqlite3|psql|mysql|tmux|screen)$/

/** More names than these are not looked for in a program text. */
const mostNames = 200

/**
 * Files that the programs on a command's line may open or change.
 *
 * @example `perl -e 'unlink "a"'` → operand `a`
 */
export function codeOperands(written: readonly BashWord[]): readonly Operand[] {
  const words = behindRunner(written)
  const name = commandName(words)
  // The programs of yq run nothing, but load files.
  if (!interprets(name) && name !== 'yq') return []
  const named = quotedTexts(name, words)
  const isShellText = !filters.test(name)
  const found = named.map((path): Operand => {
    const glob = (isShellText || path.includes('/') || path.startsWith('.')) && isPattern(path)
    return { path, access: 'edit', glob, loose: true, below: storedBelow(path) }
  })
  return isShellText ? [...found, ...throughTrees(name, textOf(words))] : found
}

/** Stars in their programs are regular expressions, and calculations. */
const filters = /^(sed|[gmn]?awk|yq)$/
/** Languages in which a program can go through directories by a call. */
const languages =
  /^(python|pypy|perl|ruby|node|nodejs|deno|bun|php|lua|luajit|R|Rscript|julia|tclsh|tsx|ts-node)[\d.]*$/

function textOf(words: readonly BashWord[]): string {
  return words.map(({ value, text }) => value ?? text).join(' ')
}

/** The command of sqlite3 that takes files, and directories as a whole, into a database. */
const archives = /\.ar\w*\s/

/**
 * The directories that a program's text goes through: any word of such a text may be one.
 *
 * @example throughTrees('perl', 'rmtree src') // …, operand `src`
 */
export function throughTrees(name: string, text: string): readonly Operand[] {
  if (!languages.test(name) && name !== 'sqlite3') return []
  const below = treesIn(text, name === 'sqlite3' && archives.test(text))
  const homes = below.length > 0 && saysHome(text) ? ['~', ...namesInPlaces(text, below)] : nothing
  const trees = [...below, ...homes].map((path): Operand => ({
    path,
    access: 'edit',
    glob: false,
    loose: true,
    ...everythingBelow,
  }))
  return readsEnvironment(text) ? [...trees, { path: '.env', access: 'read', glob: false, loose: true }] : trees
}

/** Texts in program texts that may name files: those in quotes, and what looks like a path or a pattern. */
function quotedTexts(name: string, words: readonly BashWord[]): readonly string[] {
  const values = words.map(({ value }) => value ?? '')
  if (name === 'sed') return values.slice(1).flatMap((value) => namesIn(value, name))
  if (!values.some((value) => severalWords.test(value))) return nothing
  const texts = (name === 'git' ? textsForGit(values) : values.slice(1)).filter((value) => severalWords.test(value))
  const read = texts.flatMap(readings)
  const named = read.flatMap((text) => namesIn(text, name))
  if (filters.test(name)) return named
  const names = [...new Set([...named, ...read.flatMap(joinedNames)])]
  return [...names, ...namesInPlaces([...values, ...read].join('\n'), names.slice(0, mostNames))]
}

/** A text of one plain word is no program. */
const severalWords = /[\s("']/

function namesIn(value: string, name: string): readonly string[] {
  const quoted = /["'`]/.test(value)
    ? [...value.matchAll(/(["'`])([^"'`\n]{1,300})\1/g)].map((match) => match[2] ?? '')
    : []
  if (name === 'sed') return [...quoted, ...namedInSed(value)]
  if (withoutQuotes.test(name)) quoted.push(...(value.match(/[^\s"'`(){}<>|;,=:]+/g) ?? []).slice(0, mostNames))
  const paths = (value.match(/[\w.~/-]+/g) ?? []).filter((each) => /[./]/.test(each)).slice(0, mostNames)
  const moved = namedBehindMoves(value)
  // Commands that awk runs stand in quotes.
  const patterns = filters.test(name) ? quoted.filter((text) => /system|\|/.test(value) && /\s/.test(text)) : [value]
  return [...quoted, ...paths, ...moved, ...patterns.flatMap(patternsIn)]
}

/** Files that a program of sed reads and writes, and the words of commands that it runs. */
function namedInSed(text: string): readonly string[] {
  const opened = [...text.matchAll(/(?:^|[;{}\d$/!\s])[rRwW]\s*([^\s;}]+)/gm)].map((match) => match[1] ?? '')
  // One plain word runs nothing.
  if (!/\s|s[^\w\s]/.test(text)) return opened
  const run = [
    ...[...text.matchAll(/(?:^|[;{}\d$/!\s])e\s+([^\n]+)/gm)].map((match) => match[1] ?? ''),
    ...[...text.matchAll(replaced)].map((match) => match[2] ?? ''),
  ]
  return [...opened, ...run.flatMap((command) => command.split(/[\s;}]+/, mostNames))]
}

/** Commands that a quoted assignment carries, for whoever expands it later: `PS4='$(rm x)'`. */
export function carriedPieces(assignments: readonly string[]): readonly string[] {
  if (assignments.length === 0) return nothing
  return assignments
    .filter((text) => /\$\(|`/.test(text))
    .flatMap((text) => text.split(seams))
    .flatMap((piece) => (piece.trim() === '' ? [] : [piece.trim().replace(/^\$/, '')]))
}
