import { isLiteral, type BashWord } from './bash-word.ts'

/** Commands that run the command in their arguments: a deny rule looks through all of them. */
const wrappers = new Set(
  `timeout time nice nohup stdbuf xargs env watch ionice setsid sudo doas command exec builtin noglob find fd fdfind
  parallel busybox toybox chroot flock strace ltrace unshare nsenter taskset chrt script su runuser run0 sg gosu su-exec
  setpriv pkexec fakeroot valgrind unbuffer xvfb-run prlimit numactl firejail bwrap entr systemd-run ssh ssh-agent
  dbus-run-session perf catchsegv cpulimit rlwrap setarch linux32 linux64 choom capsh cgexec softlimit proot torsocks
  torify proxychains proxychains4 flatpak-spawn daemonize start-stop-daemon caffeinate arch op direnv hyperfine nix-shell
  tmux screen chpst s6-setuidgid setlock eatmydata aa-exec runcon coproc`.split(/\s+/),
)

/** The tools of GNU, with the `g` that they have in front of their names where a system brings others. */
const gnu: ReadonlyMap<string, string> = new Map(
  `base64 cat chgrp chmod chown cp cut dd df du echo env expr find grep head install ln ls mkdir mv nice nl nohup od paste
  printf readlink realpath rm rmdir sed shred sort split stat stdbuf tac tail tar tee time timeout touch tr truncate uniq
  unlink wc xargs`
    .split(/\s+/)
    .map((name): [string, string] => [`g${name}`, name])
    .concat('rgrep zgrep zegrep zfgrep bzgrep xzgrep'.split(' ').map((name) => [name, 'grep'])),
)

/** Knowledge of programs by their names; `constructor` is the name of none. */
export function byProgram<Known>(known: Readonly<Record<string, Known>>): ReadonlyMap<string, Known> {
  return new Map(Object.entries(known))
}

/** The name of the program that a command begins with; empty when the name is only known at run time. */
export function commandName(words: readonly BashWord[]): string {
  return programOf(words[0])
}

/** The name of the program that a word is as a command; empty when only a running shell knows the word. */
export function programOf(word: BashWord | undefined): string {
  return word?.program ?? programName(word?.value ?? '')
}

/** `/usr/bin/rm` and `grm` → `rm` */
export function programName(word: string): string {
  const name = word.includes('/') ? word.slice(word.lastIndexOf('/') + 1) : word
  return gnu.get(name) ?? name
}

/** Says whether a command runs another one that stands among its arguments. */
export function wraps(words: readonly BashWord[]): boolean {
  const name = commandName(words)
  if (wrappers.has(name) || (name.startsWith('ld') && /^ld(-linux[\w.-]*)?\.so/.test(name))) return true
  // `time -f x rm`: for bash a command called `-f`, for other shells options of the program `time`.
  if (name.startsWith('-') && words.length > 1) return true
  if (name === 'cmake') return words[1]?.value === '-E' && /^(env|time|chdir)$/.test(words[2]?.value ?? '')
  return name === 'git' && words.some(({ value }) => startsOfGit.has(value ?? ''))
}

/** Words of git behind which a command stands. */
const startsOfGit = new Set(['run', 'foreach', '-x', '--exec'])

/** More words than this behind a wrapper, longer programs of sed, or more names in so many directories are not judged. */
const mostWrapped = 100
const longestScript = 2_000
const mostPlaced = 2_000
const mostWords = 600

/** Options that let a program work in another directory. */
const moving = /^(-C|--(directory|prefix|cwd|chdir|git-dir|work-tree)(=|$))/

/** A command that would take too long to look through: the line is asked about. */
export function isTooLong(words: readonly BashWord[]): boolean {
  const name = commandName(words)
  if (words.length > mostWords && !/^(echo|printf)$/.test(name)) return true
  if (words.length > mostWrapped && wraps(words)) return true
  if (
    words.length ** 2 > mostPlaced &&
    words.filter(({ text }) => moving.test(text)).length * words.length > mostPlaced
  )
    return true
  if (name === 'git' && words.some(({ text }) => text.length > longestScript && isRevision(text))) return true
  return name === 'sed' && words.some(({ text }) => text.length > longestScript)
}

/** A name in which git may look for many colons; a message has blanks. */
function isRevision(text: string): boolean {
  return !/\s/.test(text) && text.includes(':')
}

/** Wrappers that name a file, a user or a number in front of the command. */
const naming = /^(flock|chroot|taskset|chrt|runuser|gosu|su-exec|runcon|setarch|ssh|sg|cpulimit|s6-setuidgid|chpst)$/

/** The command behind a wrapper is one that only a running shell knows: `nice $(echo rm)`, `env A=1 bin/r*`. */
export function wrapsUnknown(words: readonly BashWord[]): boolean {
  if (!wraps(words)) return false
  const name = commandName(words)
  if (/^(find|fd|fdfind)$/.test(name))
    return words.some((word, at) => isUnknown(word) && /^(-exec|-ok|-[xX]$|--exec)/.test(words[at - 1]?.value ?? ''))
  let named = naming.test(name) ? 1 : 0
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at]
    if (word === undefined || isUnknown(word)) return word !== undefined
    if (isBetween(words, at)) continue
    if (named === 0) return false
    named -= 1
  }
  // `xargs env`: the command is among the names that come in.
  const feeder = words.findIndex(({ value }) => value === 'xargs')
  return feeder !== -1 && words.slice(feeder + 1).some(({ value }) => wrappers.has(value ?? ''))
}

/** A wrapper, or what may stand between one and the command: an option, its value, a setting, a time. */
function isBetween(words: readonly BashWord[], at: number): boolean {
  const value = words[at]?.value ?? ''
  const isRunner = value === 'cmake' && words[at + 1]?.value === '-E'
  return (
    isRunner ||
    /^-|^\w+=|^[\d.]+[smhd]?$/.test(value) ||
    wrappers.has(value) ||
    /^-[^=]*$/.test(words[at - 1]?.value ?? '')
  )
}

/**
 * The words from `xargs` on where it stands behind other wrappers, all words otherwise: what it runs gets more words than
 * stand there.
 *
 * @example fromXargs(`timeout 5 xargs cat`) // `xargs cat`
 */
export function fromXargs(words: readonly BashWord[]): readonly BashWord[] {
  const name = commandName(words)
  if (name === 'xargs' || !wrappers.has(name) || /^(find|fd|fdfind)$/.test(name)) return words
  const at = words.findIndex((word, i) => i > 0 && (programOf(word) === 'xargs' || !isBetween(words, i)))
  return programOf(words[at]) === 'xargs' ? words.slice(at) : words
}

function isUnknown({ value, glob, from }: BashWord): boolean {
  return glob || (value === null && from !== 'number')
}

const nowhere: readonly number[] = []
const atFirst: readonly number[] = [0]

/**
 * The places in a command's words where a command that it runs may begin: the first word, and behind a wrapper every
 * other; `find` and `fd` name theirs after a flag.
 */
export function starts(words: readonly BashWord[]): readonly number[] {
  if (!wraps(words)) return words.length === 0 ? nowhere : atFirst
  const all = [...words.slice(0, mostWrapped).keys()]
  const sure = words.every(({ value }) => value !== null)
  if (!sure || !/^(find|fd|fdfind)$/.test(commandName(words))) return all
  const flag = words.findIndex(({ value }) => /^(-exec|-ok|-[xX]$)|^--exec/.test(value ?? ''))
  return all.filter((at) => at === 0 || (flag !== -1 && at > flag))
}

/**
 * The words that really run, behind `timeout 5`, `watch`, `nohup`, `nice`, `stdbuf`, `time`, `command` and a bare `xargs`.
 *
 * @example `timeout 30 npm test` → `npm test`
 */
export function unwrapped(words: readonly BashWord[]): readonly BashWord[] {
  if (!strippers.has(words[0]?.value ?? '')) return words
  const values = words.map((word) => word.value ?? '$')
  const skip = wrapperLength(values)
  return skip === 0 || skip >= words.length ? words : unwrapped(words.slice(skip))
}

/** The same words, but for `xargs` with what it runs: this gets more words than stand there. */
export function runningWords(words: readonly BashWord[]): readonly BashWord[] {
  const fed = fromXargs(words)
  return commandName(fed) === 'xargs' ? fed : unwrapped(words)
}

/** Commands of bash itself, which come before any program; those that run another command are in it, too. */
const builtins = new Set(
  `echo printf pwd test [ [[ (( true false : cd pushd popd type break continue wait exit return shift unset let set shopt read
  export readonly local command builtin time`.split(/\s+/),
)

/**
 * The names under which bash looks for programs in its PATH to run a command: that of the command, and those of plain wrappers
 * before it.
 *
 * @example programsSought(`command timeout 5 ls`) // ['timeout', '5', 'ls']
 */
export function programsSought(words: readonly BashWord[]): readonly string[] {
  const names = words
    .slice(0, words.length - unwrapped(words).length + 1)
    .flatMap(({ value }) => (value === null || value.startsWith('-') ? [] : [value]))
  while (builtins.has(names[0] ?? '')) if (!/^(command|builtin|time)$/.test(names.shift() ?? '')) return []
  // These are scripts that look for grep in the same way.
  return names.some((name) => /^[ef]grep$/.test(name)) ? [...names, 'grep'] : names
}

const strippers = new Set('nohup xargs time nice stdbuf timeout watch command builtin noglob'.split(' '))

/** Flags of a wrapper that stand alone, and those followed by a value. */
const wrapperFlags: Readonly<Record<string, { readonly alone: RegExp; readonly valued: RegExp }>> = {
  nice: { alone: /^(-n?-?\d+|--adjustment=-?\d+)$/, valued: /^(-n|--adjustment)$/ },
  stdbuf: {
    alone: /^(-[ioe](L|\d+[KMG]?)|--(input|output|error)=(L|\d+[KMG]?))$/,
    valued: /^(-[ioe]|--(input|output|error))$/,
  },
  timeout: {
    alone: /^(--foreground|--preserve-status|--verbose|--kill-after=.*|--signal=.*|-v|-[ks].+)$/,
    valued: /^(-k|-s|--kill-after|--signal)$/,
  },
  watch: {
    alone:
      /^(-[bcdegptwx]+|-n[\d.]+|--(beep|color|differences|errexit|chgexit|exec|interval=[\d.]+|no-title|no-wrap|precise))$/,
    valued: /^(-n|--interval)$/,
  },
  time: { alone: /^-p$/, valued: /^$/ },
  command: { alone: /^(-p|--)$/, valued: /^$/ },
  builtin: { alone: /^--$/, valued: /^$/ },
}

/** `wrapsOthers('timeout')`: the program runs the command behind its own options. */
export function wrapsOthers(name: string): boolean {
  return /^(timeout|nice|stdbuf|nohup|time|watch)$/.test(name)
}

function wrapperLength(values: readonly string[]): number {
  const flags = wrapperFlags[values[0] ?? '']
  let at = 1
  while (values[at]?.startsWith('-') === true) {
    const flag = values[at] ?? ''
    if (flags?.valued.test(flag) === true) at += 2
    else if (flags?.alone.test(flag) === true) at += 1
    else return 0
  }
  if (values[at]?.startsWith('-') !== false) return 0
  // A shell reads these words once more.
  if (values[0] === 'watch')
    return values.slice(at).every((value, i) => isLiteral(value) && (i > 0 || !value.includes('='))) ? at : 0
  if (values[0] !== 'timeout') return at === 1 && values[0] === 'stdbuf' ? 0 : at
  return /^[\d.]+[smhd]?$/.test(values[at] ?? '') ? at + 1 : 0
}

/** Letters of tar that take a value: in a first word without a dash the values stand behind it, in their order. */
const lettersWithValue = /[bCFfgHIKLNTVX]/

/**
 * The words of tar with each letter beside its value; those of any other program, and of a tar with dashes, as they are.
 *
 * @example spelledOut(`tar cIf zstd z a.txt`) // `tar -c -I zstd -f z a.txt`
 */
export function spelledOut(words: readonly BashWord[]): readonly BashWord[] {
  const name = commandName(words)
  if (name !== 'tar' && name !== 'bsdtar') return words
  const letters = words[1]?.value ?? ''
  const [program] = words
  if (program === undefined || !/^[A-Za-z]+$/.test(letters)) return words
  let next = 2
  const spelled = letters.split('').flatMap((letter) => {
    const option = { text: `-${letter}`, value: `-${letter}`, glob: false }
    const value = lettersWithValue.test(letter) ? words[next] : undefined
    if (value === undefined) return [option]
    next += 1
    return [option, value]
  })
  return [program, ...spelled, ...words.slice(next)]
}
