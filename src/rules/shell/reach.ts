import { mayFit, surelyFits } from '../paths/name-patterns.ts'
import type { BashWord } from './bash-word.ts'
import { byProgram, commandName, unwrapped } from './bash-wrappers.ts'
import { isBrief, mayBeObject, shownById, showsNone, takesObjects } from './git/git-contents.ts'
import { fitsAnyName, findTestWithText } from './tools/find-tests.ts'

/** How far a command reads into a directory. */
export interface Below {
  readonly hidden: boolean
  /** Name patterns of the files it opens; empty for all. */
  readonly only: readonly string[]
  /** Name patterns of the kinds of files that it takes; rules about whole directories do not ask for them. */
  readonly kinds?: readonly string[]
  /** These may also be the names of directories above the files. */
  readonly deep?: true
  /** Name patterns of the files and directories it passes over. */
  readonly except?: readonly string[]
  /** The command reads what a repository held at any time. */
  readonly history?: true
  /** Only of the repositories that are named, and not of the one in which the command runs. */
  readonly named?: true
  /** All of the repository, wherever in it the command runs. */
  readonly whole?: true
  /** The files are changed, and nothing of them is shown. */
  readonly changes?: true
  /** The command passes over what `.gitignore` leaves out. */
  readonly ignoring?: true
  /** Links among the names are followed by what gets them; `through` ones to directories as well. */
  readonly links?: true | 'through'
}

/** An argument of a command that may name a file. */
export interface Operand {
  /** As written after quote removal, not yet absolute. */
  readonly path: string
  readonly access: 'read' | 'edit'
  /** Stands for whatever files match. */
  readonly glob: boolean
  /** More likely a search pattern or program than a file: protects, but proves nothing. */
  readonly loose: boolean
  readonly below?: Below | undefined
  /** The value of an option that is not known to be read. */
  readonly told?: true | undefined
  /** A number, which names a file only where a file of that name is. */
  readonly ifThere?: true | undefined
  /** git reads the name from the top of the repository that is found from one of these places. */
  readonly fromTop?: readonly string[]
}

/** Whether a command that reads so far opens a file: a search that passes over some names does not. */
export function opens({ hidden, only, kinds = [], deep, except = [] }: Below, path: string): boolean {
  const parts = path.split('/').filter((part) => part !== '')
  if (!hidden && parts.some((part) => part.startsWith('.'))) return false
  if (parts.some((part) => except.some((name) => surelyFits(part, name, { dot: true })))) return false
  const named = deep === true ? parts : parts.slice(-1)
  if (kinds.length > 0 && !kinds.some((kind) => mayFit(parts.at(-1) ?? '', kind, { dot: true }))) return false
  return only.length === 0 || only.some((name) => named.some((part) => mayFit(part, name, { dot: true })))
}

const all: Below = { hidden: true, only: [] }
/** A directory that a program goes through as it likes. */
export const everythingBelow = { below: all } as const
const history: Below = { ...all, history: true }
const through = { links: 'through' } as const

/** Programs that take directories as a whole: with which flags, and when they follow links, or do not. */
const takers = byProgram<{ readonly goes?: RegExp; readonly follows?: RegExp; readonly stays?: RegExp }>({
  cp: { goes: /^(-[\w.]*[rRals]|--(r|a|l|sy))/, follows: /^(-[\w.]*[Ll]|--(der|l))/ },
  zip: { goes: /^(-[\w.]*[rR]|--r)/, stays: /^(-[\w.]*y|--sy)/ },
  scp: { goes: /^-[\w.]*r/, stays: /(?!)/ },
  diff: { stays: /^--no-deref/ },
  tar: { follows: /^(-[\w.]*[hL]|--der)/ },
  bsdtar: { follows: /^(-[\w.]*[hL]|--der)/ },
  rsync: { follows: /^(-[\w.]*[Lk]|--copy-(l|unsafe|dirl))/ },
  ...Object.fromEntries('ln mv 7z jar pax ditto rclone cpio'.split(' ').map((name) => [name, {}])),
})

/** Where git keeps what the repository held. */
const stored = /(^|\/)\.git\/(modules\/.+\/)?objects(\/|$)/
/** Of a name among those files the files of the repository, as it held them at any time. */
export const kept: Below = { ...history, whole: true }

/** `storedBelow('.git/objects')`: with such a name a command has the files of the repository. */
export function storedBelow(path: string): Below | undefined {
  return stored.test(path) ? kept : undefined
}

/** Whether a command opens the files below the directories it is given, or gives them other names. */
export function reachOf(words: readonly BashWord[]): Below | null {
  const name = commandName(words)
  const has = (pattern: RegExp): boolean =>
    words.some(({ value }) => value?.startsWith('-') === true && pattern.test(value))
  const taken = takers.get(name)
  if (taken !== undefined) {
    if (taken.goes !== undefined && !has(taken.goes)) return null
    const follows =
      taken.follows !== undefined &&
      (has(taken.follows) || (name.endsWith('tar') && /^[a-zA-Z]*h/.test(words[1]?.value ?? '')))
    return follows || (taken.stays !== undefined && !has(taken.stays)) ? { ...all, ...through } : all
  }
  switch (name) {
    case 'grep':
    case 'egrep':
    case 'fgrep':
    case 'ugrep':
    case 'ug':
      if (words[0]?.value?.endsWith('rgrep') !== true && !has(/^(-[\w.]*[rRd]|--(r|de|di))/)) return null
      return { hidden: true, ...chosen(words, has(/^--in/)), ...(has(/^(-[\w.]*R|--der)/) && through) }
    case 'rg':
    case 'ag':
    case 'ack':
      return searched(words)
    case 'git':
      return inRepository(words, has)
    case 'cmake':
      return has(/^-E$/) && words.some(({ value }) => /^(copy_directory\w*|rename|tar)$/.test(value ?? '')) ? all : null
    case 'docker':
    case 'podman':
    case 'nerdctl':
    case 'kubectl':
      return mounts(words) ? all : null
    default:
      return changed(name, words, has)
  }
}

/** A directory of the machine is seen from inside of a container, or copied into one. */
function mounts(words: readonly BashWord[]): boolean {
  return words.some(
    ({ value }, at) => /^(-[a-z]*v|--volume|--mount)(=|$|\W)/.test(value ?? '') || (at < 3 && value === 'cp'),
  )
}

const changing = new Set('rm chmod chown chgrp gzip gunzip'.split(' '))

function changed(name: string, words: readonly BashWord[], has: (pattern: RegExp) => boolean): Below | null {
  if (changing.has(name)) return has(/^(-[\w.]*[rR]|--rec)/) ? { ...all, changes: true } : null
  if (name !== 'find' || !has(/^-delete$/)) return null
  return { hidden: true, only: namesSought(words), changes: true }
}

/**
 * The name patterns of which one fits whatever find finds; none where it may find anything. What is left out only makes
 * the list shorter.
 */
export function namesSought(words: readonly BashWord[]): readonly string[] {
  const names: string[] = []
  let named = false
  let before = ''
  for (let at = 0; at < words.length; at += 1) {
    const value = words[at]?.value ?? null
    if (value === null || value === ',' || /^-(exec|ok)/.test(value)) return []
    if (value === '-o' || value === '-or') {
      if (!named) return []
      named = false
    }
    const negated = /^(!|-not)$/.test(before)
    if ((negated && /^[\\]?\($/.test(value)) || (!named && saying.test(value))) return []
    before = value
    if (!findTestWithText.test(value)) continue
    // The word behind is a text, whatever it looks like.
    at += 1
    const name = words[at]?.value ?? null
    if (value !== '-name' || negated || name === null || fitsAnyName(name)) continue
    names.push(name)
    named = true
  }
  return named ? names : []
}

/** Actions of find that act on what the words before them have let through. */
const saying = /^-(print|ls|delete|fprint|fls)/

function chosen(words: readonly BashWord[], includes: boolean): Pick<Below, 'only' | 'except'> {
  const valued = (name: RegExp): string[] =>
    words.flatMap(({ value }, at) => {
      const [found, glued] = name.exec(value ?? '') ?? []
      if (found === undefined) return []
      return glued ?? words[at + 1]?.value ?? []
    })
  const except = valued(/^--exclude(?:-dir)?(?:=(.+))?$/)
  const only = includes ? valued(/^--include(?:=(.+))?$/) : []
  return except.length === 0 ? { only } : { only, except }
}

/** rg passes over hidden files, unless it is told to look at them. */
function searched(words: readonly BashWord[]): Below {
  const flags = words.flatMap(({ value }) => (value?.startsWith('-') === true ? [value] : []))
  const unrestricted = flags.reduce(
    (count, flag) => count + (/^-[a-z]*u/.test(flag) ? flag.split('u').length - 1 : 0),
    0,
  )
  const globs = words.flatMap(({ value }, at) => {
    const [found, glued] = /^(?:-g|--i?glob)=?(.+)?$/.exec(value ?? '') ?? []
    if (found === undefined) return []
    const glob = glued ?? words[at + 1]?.value ?? '*'
    return glob.startsWith('!') ? [] : [glob.slice(glob.lastIndexOf('/') + 1)]
  })
  const every = words.some(({ value }, at) => /^(-t|--type)$/.test(words[at - 1]?.value ?? '') && value === 'all')
  const hidden =
    unrestricted > (commandName(words) === 'ag' ? 0 : 1) ||
    every ||
    flags.some((flag) => /^(--hid|-\.|--unr|-[a-z]*\.|-tall|--type=all)/.test(flag))
  const follows = flags.some((flag) => /^(-[\w.]*L|--follow)/.test(flag))
  const ignoring =
    commandName(words) === 'rg' && unrestricted === 0 && !flags.some((flag) => /^--(no-|unr|ignore-file)/.test(flag))
  return {
    hidden: hidden || globs.length > 0,
    only: hidden ? [] : globs,
    ...(follows && through),
    ...(ignoring && globs.length === 0 && { ignoring }),
  }
}

/** Commands of git that show what files held. */
const shows =
  /^(show|diff|format-patch|fast-export|bundle|range-diff|difftool|diff-tree|diff-index|diff-files|whatchanged|archive|cat-file|merge-tree)$/
const patches = /^(log|stash|reflog|rev-list|request-pull|bisect)$/
/** Commands that show a change before they take it, or the one at which they stopped. */
const asks = /^(add|stage|commit|checkout|restore|reset|rebase|am)$/

function inRepository(words: readonly BashWord[], has: (pattern: RegExp) => boolean): Below | null {
  const at = verbAt(words)
  const verb = words[at]?.value ?? ''
  const rest = words.slice(at + 1)
  // All that this searches is, or was, kept in the repository.
  if (verb === 'grep') return has(/^--(no-i|unt)/) ? all : history
  // Files of the disk are compared, whether git holds them or not.
  if (verb === 'diff' && has(/^--no-in/)) return all
  // Another repository is copied from here, or this one is copied to a place on this machine.
  if (/^(clone|fetch|pull|subtree)$/.test(verb) || (verb === 'remote' && rest[0]?.value === 'add'))
    return { ...history, named: true, whole: true }
  if (verb === 'push') return rest.some(({ value }) => /^([./~]|file:)/.test(value ?? '.')) ? history : null
  if (verb === 'worktree') return rest[0]?.value === 'add' ? history : null
  // A file of another repository is named from the top of that one.
  if (/^(blame|annotate)$/.test(verb)) return words.some(({ text }) => text.startsWith('--git-dir')) ? history : null
  // Files of the repository are written under other names.
  if (
    verb === 'checkout-index' ||
    words.some(({ text }) => /^--(prefix|work-tree|config-env)|subtree|core\.worktree/i.test(text))
  )
    return verb === 'status' || verb === 'ls-files' ? null : history
  // A directory goes with all that is in it.
  if (verb === 'mv') return { ...all, named: true }
  // `git -c stash.showPatch=true stash show`
  if (takesObjects(verb, rest) || words.some(({ text }) => /showpatch/i.test(text))) return history
  if (has(/^(--patch|--show-current|--interactive|-[\w.]*p$)/) && asks.test(verb)) return history
  if (
    /^(status|commit)$/.test(verb) &&
    (has(/^(-[\w.]*v|--verb)/) || words.some(({ value }) => /verbose=/.test(value ?? '')))
  )
    return history
  if (patches.test(verb)) return rest.every(showsNone) ? null : history
  if (!shows.test(verb)) return null
  const shown = !whole.test(verb) && isBrief(rest) && !shownById(verb, rest)
  // One file of one revision, which is an operand by itself.
  const named = rest.filter(({ value }) => value?.startsWith('-') !== true)
  const single =
    (verb === 'show' || verb === 'cat-file') &&
    named.length > 0 &&
    named.every((word) => (/^[^:]+:./.test(word.value ?? '') && !mayBeObject(word)) || word.value === 'blob')
  const sized = verb === 'cat-file' && has(/^-[tse]$/)
  return shown || sized || (single && !has(/^--(batch|filters|textconv)/)) ? null : history
}

/**
 * The command of git shows files besides those that its history holds: the line itself hands them to git, or they belong to
 * a submodule.
 *
 * @example `git add src`, `git diff --submodule=diff`
 */
export function alsoShowsFiles({ words }: { readonly words: readonly BashWord[] }): boolean {
  const inner = unwrapped(words)
  if (commandName(inner) !== 'git') return false
  const verb = inner[verbAt(inner)]?.value ?? ''
  // Parts of changes, and a new worktree, are of files that git holds.
  const isPart =
    /^(commit|worktree)$/.test(verb) ||
    (/^(add|stage)$/.test(verb) && inner.some(({ value }) => /^(-p|--patch)$/.test(value ?? '')))
  return inner.some(({ value }) => (isPart ? ofSubmodules : handing).test(value ?? ''))
}

const handing = /^(add|stage|commit|update-index|mv|--(subm|recurse-s).*|.*submodule=.*)$/
const ofSubmodules = /^(--(subm|recurse-s).*|.*submodule=.*)$/

/** Whether a git command shows what some repository held. */
export function showsHistory(words: readonly BashWord[]): boolean {
  return reachOf(words)?.history === true || words.some(({ value }) => /[^:]:[^:/]/.test(value ?? ''))
}

/** Of these no option makes less. */
const whole = /^(archive|bundle|format-patch|fast-export)$/
/** The place of git's subcommand, behind the options of git itself. */
export function verbAt(words: readonly BashWord[]): number {
  let at = 1
  while (words[at]?.text.startsWith('-') === true) at += gitValued.test(words[at]?.text ?? '') ? 2 : 1
  return at
}

const gitValued = /^(-[cC]|--(git-dir|work-tree|namespace|exec-path|config-env|super-prefix))$/
