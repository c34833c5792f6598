import { resolveFrom } from '../paths/path-inside.ts'
import type { BashCommand } from './bash-command.ts'
import { editsFiles } from './file-editors.ts'
import type { BashWord } from './bash-word.ts'
import { byProgram, commandName, starts, unwrapped, wraps } from './bash-wrappers.ts'
import { shorterForms } from './open-texts.ts'
import { verbAt } from './reach.ts'
import { choosesFirst } from './tools/find-tests.ts'
import { isReadOnlyCommand } from './read-only-commands.ts'
import { mayBeOptionOfGit, verbForms } from './unknown-options.ts'

/** Flags and variables that let a program work elsewhere than in the directory it is started in. */
const elsewhere = /^(-C|--(directory|prefix|cwd|chdir|git-dir|work-tree))(?:=(.*))?$/s
const gitVariable = /^GIT_(?:DIR|WORK_TREE|COMMON_DIR|INDEX_FILE)=(.*)$/s
const shellWords = new Set(['cd', 'pushd', 'popd', 'export', 'set', 'unset', 'local', 'declare'])

/** Where a command starts, and what `~` means there. */
interface Start {
  readonly directories: readonly string[]
  readonly home: string
}

/**
 * The directories in which a command may change something: none for one that only reads.
 *
 * @example placesChanged(`make -C ../lib`, { directories: ['/repo/app'], home }) // ['/repo/app', '/repo/lib']
 */
export function placesChanged(command: BashCommand, { directories, home }: Start): readonly string[] {
  const variables = placesSet(command)
  const inner = unwrapped(command.words)
  return starts(inner).flatMap((at) => {
    const words = inner.slice(at)
    const [name] = words
    if (name === undefined || shellWords.has(commandName(words))) return []
    const rest = commandName(words) === 'git' ? [name, ...subcommandOf(words)] : words
    if (isReadOnlyCommand({ ...command, words: rest })) return []
    const told = [...variables, ...directoriesTold(words)]
    return directories.flatMap((from) => [
      ...(at === 0 ? [from] : []),
      ...told.map((to) => resolveFrom(from, home, to)),
    ])
  })
}

/** `GIT_DIR=../x/.git`: the places that a command tells to git besides its options. */
export function placesSet({ words, assignments }: BashCommand): readonly string[] {
  return [...assignments, ...words.map(({ value }) => value ?? '')].flatMap((text) => gitVariable.exec(text)?.[1] ?? [])
}

/** The places from which git may look for its repository, as they are written: here, and where options lead. */
export function placesTold(words: readonly BashWord[]): readonly string[] {
  const told = directoriesTold(words)
  return ['.', ...told, ...(told.length > 1 ? [told.join('/')] : [])]
}

function directoriesTold(words: readonly BashWord[]): readonly string[] {
  const told: string[] = []
  for (const [at, { value }] of words.entries()) {
    if (value?.startsWith('-') !== true) continue
    const [found, , , glued] = elsewhere.exec(value) ?? []
    const place = found === undefined ? inOneWord(value) : (glued ?? words[at + 1]?.value)
    if (typeof place === 'string') told.push(place)
  }
  return told
}

/** `-Cx`: x. */
function inOneWord(option: string): string | undefined {
  return /^-C./.test(option) ? option.slice(2) : undefined
}

/** The words of a git command behind its own options: `git -C x log` → `log`. */
function subcommandOf(words: readonly BashWord[]): readonly BashWord[] {
  return words.slice(verbAt(words))
}

/** The command changes what all worktrees of a repository share: its configuration, branches of others. */
export function changesShared(command: BashCommand): boolean {
  const inner = unwrapped(command.words)
  return starts(inner).some((at) => {
    const words = inner.slice(at)
    if (commandName(words) !== 'git') return false
    const [name = '', ...rest] = subcommandOf(words).map(({ value }) => value ?? '')
    if (name === 'update-ref' || rest.includes('--ignore-other-worktrees')) return true
    if (name === 'remote') return /^(add|remove|rm|rename|set-)/.test(rest[0] ?? '')
    return name === 'config' && writesConfig(rest)
  })
}

function writesConfig(args: readonly string[]): boolean {
  if (args.some((arg) => /^(--global|--system|--get.*|--list|-l|get|list)$/.test(arg))) return false
  if (args.some((arg) => /^(--(add|unset|replace|rename|remove|edit).*|-e|set|unset|edit)$/.test(arg))) return true
  return args.filter((arg) => !arg.startsWith('-')).length > 1
}

/** `find … -exec sed -i`, `git clone … dir`: the operands of the command may be changed by what it starts or makes. */
export function changesOperands({ words }: BashCommand): boolean {
  const inner = unwrapped(words)
  const name = commandName(inner)
  if (name === 'git') return /^(clone|init|worktree)$/.test(subcommandOf(inner)[0]?.value ?? '')
  return /^(find|fd|fdfind)$/.test(name) && starts(inner).some((at) => at > 0 && editsFiles(inner.slice(at)))
}

/** The command shows no more of the directories it names than the names in them. */
export function onlyLooks({ words }: BashCommand): boolean {
  const name = commandName(words)
  if (name === 'cd' || name === 'pushd' || name === 'pwd') return true
  return name === 'ls' && !words.some(({ value }) => value === null || /^(-[a-zA-Z]*R|--rec)/.test(value))
}

/** `[ -f .env ]` shows nothing of what the files say that it names; a redirect of it is judged by itself. */
export function onlyTests(command: BashCommand | undefined): boolean {
  return /^(test|\[\[?)$/.test(commandName(command?.words ?? []))
}

const removers = new Set('rm rmdir unlink shred'.split(' '))

/** The command takes files away for good. */
export function removes(command: BashCommand): boolean {
  return shorterForms(command).some(({ words }) => areRemoving(unwrapped(words)))
}

function areRemoving(inner: readonly BashWord[]): boolean {
  if (removers.has(commandName(inner))) return true
  if (wraps(inner) && inner.some((word, i) => i > 0 && /^(.*\/)?(rm|rmdir)$/.test(word.value ?? ''))) return true
  if (commandName(inner) !== 'find') return false
  return inner.some(({ value, text }) => value === '-delete' || (value === null && /-delete\b/.test(text)))
}

/** Programs that put away, or overwrite, what they take into an archive or copy: the options that tell them to. */
const puttingAway = byProgram<RegExp>({
  mv: /./,
  rsync: /^--(del|remove-source)/,
  tar: /^--remove-f/,
  bsdtar: /^--remove-f/,
  zip: /^-[a-zA-Z]*m|^--move/,
  '7z': /^-sdel/,
  git: /^(clean|restore|checkout-index|--hard|-f|--force)$/,
})

/** `mv ~ x`, `rsync --delete a ~`, `zip -rm x ~`: what the command names is gone, though nothing is removed by name. */
export function removesSources(command: BashCommand): boolean {
  return shorterForms(command).some(({ words }) => {
    const inner = unwrapped(words)
    const option = puttingAway.get(commandName(inner))
    return option !== undefined && inner.some(({ value }, at) => at > 0 && option.test(value ?? ''))
  })
}

/** `find . -name '*.o' -delete` takes away what it names, not the directory. */
export function picks(command: BashCommand): boolean {
  const words = unwrapped(command.words)
  if (commandName(words) !== 'find') return false
  return choosesFirst(words.map(({ value }) => value ?? ''))
}

/** `git clean -x`, `git clean -e '!x'`, `git stash -a` take away what git ignores as well. */
export function cleansAll(command: BashCommand): boolean {
  return formsOfGit(command).some((words) => {
    const has = (pattern: RegExp): boolean => words.some(({ value, text }) => pattern.test(value ?? text))
    if (has(/^alias\./) && has(/(^|=)!?(git )?(clean\b.* -[a-zA-Z]*[xX]|stash\b.* (-[a-z]*a|--al?l?)\b)/)) return true
    if (has(/^clean$/)) return has(/^-[a-zA-Z]*[xX]|!/) || words.some(({ value }) => value === null)
    return has(/^stash$/) && (has(/^(-[a-z]*a|--al?l?$)/) || mayBeOptionOfGit('-a', words))
  })
}

/** `git add -f .`: the repository takes what git ignores, and lets go of it with the next `git reset`. */
export function addsIgnored(command: BashCommand): boolean {
  return formsOfGit(command).some((words) => {
    const has = (pattern: RegExp): boolean => words.some(({ value }) => pattern.test(value ?? ''))
    if (has(/^update-index$/)) return has(/^--(add|ca|index-i)/)
    return has(/^add$/) && (has(/^(-[a-zA-Z]*f|--fo)/) || mayBeOptionOfGit('-f', words))
  })
}

const none: readonly (readonly BashWord[])[] = []

/** The words of a command of git in the forms to which they may come; none for other programs. */
function formsOfGit(command: BashCommand): readonly (readonly BashWord[])[] {
  const shorter = shorterForms(command)
  // Most commands have one form, and are none of git.
  if (shorter.length === 1 && commandName(unwrapped(command.words)) !== 'git') return none
  return shorter.flatMap((form) => {
    const words = unwrapped(form.words)
    return commandName(words) === 'git' ? [words, ...verbForms(words)] : []
  })
}
