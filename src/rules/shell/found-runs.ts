import type { BashCommand } from './bash-command.ts'
import { isHarmlessAssignment, withValue, type BashWord } from './bash-word.ts'
import { byProgram, commandName, fromXargs, isTooLong, runningWords, wraps } from './bash-wrappers.ts'
import { foundPlaces } from './listed-places.ts'

/** Flags of xargs that say how, and not what, it runs. */
const alone =
  /^(-[0rtx]+|-[nPLsda].+|--(null|no-run-if-empty|verbose|exit)|--(max-args|max-procs|max-lines|delimiter|arg-file)=.+|-I.+)$/
const valued = /^-[nPLsdIa]$/

/**
 * The commands that `find -exec`, `find -delete`, `xargs` with flags and `env` run, where these stand there plainly, and those that these
 * run in turn. Such a command needs permission of its own, besides that of what runs it. The names that are put in are unknown.
 *
 * @example foundRuns(`find . -exec wc -l {} +`) // `wc -l {}`
 */
export function foundRuns(command: BashCommand): readonly BashCommand[] {
  // A line this long is asked about as a whole.
  const direct = isTooLong(command.words) ? none : directRuns(command)
  if (direct.length === 0) return none
  const found = new Map<string, BashCommand>()
  const add = (runs: readonly BashCommand[]): void => {
    for (const run of runs) {
      if (found.has(run.text)) continue
      found.set(run.text, run)
      add(directRuns(run))
    }
  }
  add(direct)
  return [...found.values()]
}

const none: readonly BashCommand[] = []

function directRuns(command: BashCommand): readonly BashCommand[] {
  const words = runningWords(command.words)
  switch (commandName(words)) {
    case 'find':
      return byFind(words, { ...command, words })
    case 'xargs':
      return behindFlags(words, 1).map((run) => asCommand(run, command))
    case 'env':
      return behindVariables(words).map((run) => asCommand(run, command))
    case 'cmake':
      return byCmake(words, command)
    default:
      return none
  }
}

/** Verbs of `cmake -E` that do what another tool does. */
const cmakeTools = byProgram<string>({
  cat: 'cat',
  compare_files: 'cmp',
  copy: 'cp',
  copy_if_different: 'cp',
  copy_if_newer: 'cp',
  copy_directory: 'cp -R',
  copy_directory_if_different: 'cp -R',
  copy_directory_if_newer: 'cp -R',
  create_hardlink: 'ln',
  create_symlink: 'ln -s',
  make_directory: 'mkdir',
  md5sum: 'md5sum',
  sha1sum: 'sha1sum',
  sha256sum: 'sha256sum',
  remove: 'rm',
  remove_directory: 'rm -r',
  rename: 'mv',
  rm: 'rm',
  tar: 'tar',
  touch: 'touch',
  touch_nocreate: 'touch',
})

/** `cmake -E copy a b` is `cp a b`. */
function byCmake(words: readonly BashWord[], command: BashCommand): readonly BashCommand[] {
  const [, flag, verb, ...rest] = words
  if (flag?.value !== '-E' || verb === undefined) return none
  const known = rest.filter(({ value }) => value?.startsWith('--') !== true)
  switch (verb.value) {
    case 'env':
      return behindVariables([verb, ...known]).map((run) => asCommand(run, command))
    case 'time':
      return rest.length === 0 ? none : [asCommand(rest, command)]
    case 'chdir':
      return rest.length < 2 ? none : [asCommand(rest.slice(1), { ...command, directories: null })]
    default: {
      const tool = cmakeTools.get(verb.value ?? '')
      // The rule for cmake covers what cmake itself does.
      return tool === undefined
        ? none
        : [{ ...asCommand([...tool.split(' ').map(plain), ...rest], command), within: true }]
    }
  }
}

function plain(text: string): BashWord {
  return { text, value: text, glob: false }
}

/** More lines that come in, and more words of one, are not put in. */
const mostLines = 20
const mostPut = 100

/**
 * Commands that `xargs` runs where the text that comes in is known: `echo nv | xargs -i cat .e{}` is `cat .env`. For rules that forbid
 * only.
 */
export function fedRuns(command: BashCommand): readonly BashCommand[] {
  const { fed = [] } = command
  const words = fromXargs(command.words)
  if (fed.length === 0 || commandName(words) !== 'xargs') return none
  const lines = fed
    .flatMap((text) => text.split('\n'))
    .map((line) => line.trim().replaceAll(/["'\\]/g, ''))
    .filter((line) => line !== '')
  const { run, mark } = runOfXargs(words)
  if (run.length === 0 || lines.length === 0) return none
  const filledRuns =
    mark === null
      ? [
          [
            ...run,
            ...lines
              .flatMap((line) => line.split(/\s+/))
              .slice(0, mostPut)
              .map(plain),
          ],
        ]
      : lines
          .slice(0, mostLines)
          .map((line) =>
            run.map((word) =>
              word.value?.includes(mark) === true ? plain(word.value.replaceAll(mark, () => line)) : word,
            ),
          )
  return filledRuns.map((filledRun) => ({ ...asCommand(filledRun, command), within: true }))
}

/** The command behind the options of xargs, and those that it runs in turn. */
export function runsOfXargs(command: BashCommand): readonly BashCommand[] {
  const words = fromXargs(command.words)
  if (commandName(words) !== 'xargs') return none
  const { run } = runOfXargs(words)
  if (run.length === 0) return none
  const own = asCommand(run, command)
  return [own, ...foundRuns(own)]
}

/** The words that xargs runs, and the mark in place of which it puts what comes in; null where that stands at the end. */
function runOfXargs(words: readonly BashWord[]): { readonly run: readonly BashWord[]; readonly mark: string | null } {
  let mark: string | null = null
  let at = 1
  while (words[at]?.value?.startsWith('-') === true) {
    const flag = words[at]?.value ?? ''
    const [, own] = /^(?:-[0oprtx]*[iI]|--replace=?)(.*)$/s.exec(flag) ?? []
    if (own !== undefined) mark = own || (/^-\w*I$/.test(flag) ? (words[at + 1]?.value ?? null) : null) || '{}'
    at += takingValue.test(flag) ? 2 : 1
  }
  return { run: words.slice(at), mark }
}

/** Options with which xargs takes the names of a list, one by one as they are. */
const keepingNames = /^(-[0rtx]+|-[nPLI].*|--(null|no-run-if-empty|verbose|(max-args|max-procs|max-lines)(=.+)?))$/

/** `xargs -n 1 wc`: the words that the command behind `xargs` gets are the lines that come in. */
export function takesWholeNames(words: readonly BashWord[]): boolean {
  if (commandName(words) !== 'xargs') return false
  const options = words.slice(1, words.length - runOfXargs(words).run.length)
  return options.every(({ value }) => value?.startsWith('-') !== true || keepingNames.test(value))
}

/** Options of xargs with a value in the next word. */
const takingValue = /^(-[0oprtx]*[aEIdLnPs]|--(arg-file|delimiter|max-(lines|args|procs|chars)|process-slot-var))$/

const removal = plain('rm')

function byFind(words: readonly BashWord[], command: BashCommand): readonly BashCommand[] {
  const found: BashCommand[] = []
  for (const [at, { value }] of words.entries()) {
    if (value !== '-delete' && value !== '-exec' && value !== '-execdir') continue
    const listed = foundPlaces(words.slice(0, at))
    // To delete what was found is to run `rm` for it.
    if (value === '-delete') found.push({ ...asCommand([removal], { ...command, ...(listed !== null && { listed }) }) })
    if (value === '-delete') continue
    const rest = words.slice(at + 1, at + 100)
    const end = rest.findIndex((word, i) => word.value === ';' || (word.value === '+' && rest[i - 1]?.value === '{}'))
    if (end === 0 || rest.length === 0) continue
    const run = end === -1 ? rest : rest.slice(0, end)
    // The files that stand for a mark of its own are those of the list; behind a wrapper one of them may be run.
    const named = listed === null || wraps(run) ? run : run.filter((word, i) => i === 0 || word.value !== '{}')
    const text = run.map((word) => word.text).join(' ')
    const own = asCommand(
      named.map((word) => filled(word, '{}')),
      { ...command, ...(listed !== null && { listed }) },
    )
    found.push({ ...own, text })
  }
  return found
}

function behindFlags(words: readonly BashWord[], from: number): readonly (readonly BashWord[])[] {
  let at = from
  let mark = '{}'
  while (words[at]?.value?.startsWith('-') === true) {
    const flag = words[at]?.value ?? ''
    if (flag.startsWith('-I')) mark = flag.slice(2) || (words[at + 1]?.value ?? '{}')
    if (valued.test(flag)) at += 2
    else if (alone.test(flag)) at += 1
    else return []
  }
  const run = words.slice(at)
  // Without a command it says what it gets.
  if (run.length === 0) return at === from ? [] : [[saying]]
  return run[0]?.value === null ? [] : [run.map((word) => filled(word, mark))]
}

const saying: BashWord = { text: 'echo', value: 'echo', glob: false }

function behindVariables(words: readonly BashWord[]): readonly (readonly BashWord[])[] {
  const isBefore = (at: number): boolean => {
    const value = words[at]?.value ?? ''
    // A variable that is taken away stands behind its own option.
    const isName = words[at - 1]?.value === '-u'
    const taken = isName ? value : words[at + 1]?.value
    return isName || value === '-u' ? isHarmlessAssignment(`${taken}=`) : isHarmlessAssignment(value)
  }
  const at = words.findIndex((_, i) => i > 0 && !isBefore(i))
  const run = at === -1 ? [] : words.slice(at)
  return run.length === 0 || run[0]?.value?.startsWith('-') !== false || run[0].value.includes('=') ? [] : [run]
}

function filled(word: BashWord, mark: string): BashWord {
  return word.value?.includes(mark) === true ? withValue(word, null) : word
}

function asCommand(words: readonly BashWord[], { directories, listed }: BashCommand): BashCommand {
  const text = words.map((word) => word.text).join(' ')
  const placed = listed === undefined ? {} : { listed }
  return { text, words, assignments: [], redirects: [], directories, ...placed, found: true }
}
