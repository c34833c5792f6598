import { directsCommands } from '../paths/configuring-files.ts'
import type { BashWord } from './bash-word.ts'
import { commandName } from './bash-wrappers.ts'

/** Options of one program whose value is a command, or names a file of commands. */
interface Running {
  /** Long ones without dashes; some programs also take them shortened. */
  readonly long?: readonly string[]
  readonly short?: RegExp
  /** Values that run nothing but what the program is for. */
  readonly plain?: RegExp
  /** The value names a file of code: one that is known as a recipe is what the program reads anyway. */
  readonly recipe?: true
}

const compressors = /^(zstd|pigz|gzip|bzip2|pbzip2|xz|pixz|lz4|lzip|lzop|brotli)( -[\w-]+)*$/
const compiler: Running = { short: /^(-wrapper|-fplugin|-fpass-plugin|-Xclang|-specs|-B|@)/, long: ['specs'] }
const secure: Running = {
  // Flags without a value may stand before it in one word.
  short: /^-[1246AaCfGgKkMNnqsTtVvXxYy]*[oSF]/,
  plain: /^(?!.*(command|include|match|provider|plugin))[A-Za-z]+[= ][\w.:/@%-]+$/i,
}
const linted: Running = {
  long: ['config', 'rulesdir', 'plugin', 'resolve-plugins-relative-to', 'parser', 'format', 'require', 'setupFiles'],
  short: /^-[cfr]/,
  plain: /^[@\w-]+(\/[\w-]+)?$/,
  recipe: true,
}

const tested: Running = {
  ...linted,
  long: ['runner', 'testRunner', 'globalSetup', 'globalTeardown', 'resolver', 'testEnvironment', 'testSequencer'],
  short: /(?!)/,
}
const packaged: Running = { long: ['userconfig', 'globalconfig', 'git', 'editor', 'viewer'] }

const programs: Readonly<Record<string, readonly Running[]>> = {
  tar: [
    {
      long: ['to-command', 'checkpoint-action', 'rsh-command', 'info-script', 'new-volume-script'],
      short: /^-[a-zA-Z]*F/,
    },
    { long: ['use-compress-program'], short: /^-[a-zA-Z]*I/, plain: compressors },
  ],
  zip: [{ long: ['unzip-command'], short: /^-[a-zA-Z]*TT/ }],
  sort: [{ long: ['compress-program'], plain: compressors }],
  split: [{ long: ['filter'] }],
  rsync: [{ long: ['rsh', 'rsync-path'], short: /^-[a-zA-Z]*e/, plain: /^ssh( -[p4i] ?[\w./-]+)*$/ }],
  ssh: [secure],
  scp: [secure],
  sftp: [secure],
  gcc: [compiler],
  'g++': [compiler],
  cc: [compiler],
  clang: [compiler],
  wget: [{ long: ['use-askpass', 'execute', 'config'], short: /^-e/ }],
  rg: [{ long: ['pre', 'hostname-bin'] }],
  man: [{ long: ['pager', 'html', 'config-file'], short: /^-[PHC]/, plain: /^(cat|less|more)$/ }],
  less: [{ short: /^\+\+?!/ }],
  pip: [{ long: ['python'] }],
  go: [{ short: /^--?(exec|toolexec|vettool)(=|$)|^--?(ld|gc)flags=.*-ext/ }],
  kubectl: [{ long: ['kubeconfig'] }],
  make: [
    { long: ['eval'], short: /^-E|^(SHELL|MAKEFLAGS|CC|CXX|LD|AR)[+:?]*=(?![\w+.-]*$)|^\w+[+:?!]*=.*[$`]/ },
    { long: ['file', 'makefile'], short: /^-[a-zA-Z]*f/, recipe: true },
  ],
  eslint: [linted],
  prettier: [linted],
  jest: [linted, tested],
  vitest: [linted],
  mocha: [linted],
  npm: [packaged],
  pnpm: [packaged],
}
const others: Readonly<Record<string, string>> = {
  bsdtar: 'tar',
  gmake: 'make',
  pip3: 'pip',
  'clang++': 'clang',
  grsync: 'rsync',
}

/**
 * Says whether an option lets a program run a command that its name does not speak of, or a file of commands: a rule for
 * all calls of the program does not cover it.
 *
 * @param fed The texts that it gets to read.
 * @example runsByOption(`tar cf z.tar --checkpoint-act=exec=x a.txt`) // true
 */
export function runsByOption(words: readonly BashWord[], fed: readonly string[] = []): boolean {
  const name = commandName(words)
  if (name === 'git') return gitRuns(words)
  const client = Object.hasOwn(clients, name) ? clients[name] : undefined
  if (client !== undefined) return [...words.map(({ value }) => value ?? ''), ...fed].some((text) => client.test(text))
  return runningOptions(words).size > 0
}

const noOptions: ReadonlySet<number> = new Set()

/** The places of the options of a program behind which a command, or a file of commands, stands. */
export function runningOptions(words: readonly BashWord[]): ReadonlySet<number> {
  const name = commandName(words)
  const known = Object.hasOwn(others, name) ? others[name] : name
  const table = known !== undefined && Object.hasOwn(programs, known) ? programs[known] : undefined
  if (table === undefined) return noOptions
  return new Set([...words.keys()].filter((at) => at > 0 && table.some((running) => runs(running, words, at))))
}

function runs({ long = [], short, plain, recipe }: Running, words: readonly BashWord[], at: number): boolean {
  const value = words[at]?.value ?? words[at]?.text ?? ''
  const [, name = '', glued] = /^--([\w-]+)(?:=(.*))?$/s.exec(value) ?? []
  const isLong =
    name.length > 1 && long.some((each) => each === name || (name.length < each.length && each.startsWith(name)))
  const isShort = short?.exec(value)?.[0]
  if (!isLong && isShort === undefined) return false
  const said =
    glued ?? (isShort === undefined || isShort === value ? (words[at + 1]?.value ?? '') : value.slice(isShort.length))
  if (plain?.test(said) === true) return false
  return recipe !== true || !directsCommands(said)
}

/** Commands of the shell, and functions that load or run something, in the texts of database clients. */
const clients: Readonly<Record<string, RegExp>> = {
  sqlite3: /^\s*\.(sh|sy|load|read|(o|i)\w*\s+["']?\|)|^--?init$|\b(edit|load_extension)\s*\(/im,
  psql: /\\(!|e(dit|f|v)?(?![a-z])|g?o?\s*\||copy.*program)|^\||^--output=\||\b(to|from)\s+program\b/i,
}

/** Settings of git that hold a command. */
export const keptCommand =
  /^(alias\..+|core\.(editor|pager|sshcommand|fsmonitor|askpass|gitproxy|hookspath)|sequence\.editor|pager\..+|diff\.external|interactive\.difffilter|credential\.(.+\.)?helper|gpg\.(.+\.)?program|include\.path|includeif\..+|init\.templatedir|url\..+|protocol\..+|.+\.(cmd|textconv|clean|smudge|process|driver|command|packobjectshook|uploadpack|receivepack))$/i
const idle = /^(cat|less|more|true|false|:|0|1)?$/

function gitRuns(words: readonly BashWord[]): boolean {
  const values = words.map(({ value }) => value ?? '')
  if (
    values.some(
      (value, at) =>
        /^(run|foreach|--exec-path=.*)$/.test(value) && /^(bisect|submodule|git|--.*)$/.test(values[at - 1] ?? ''),
    )
  )
    return true
  if (
    values.some((value) =>
      /^(filter-branch|difftool|mergetool|instaweb|send-email|for-each-repo|--config-env.*)$/.test(value),
    )
  )
    return true
  if (values.includes('rebase') && values.some((value) => /^(-x|--ex)/.test(value))) return true
  return values.some((value, at) => {
    if (!value.includes('.')) return false
    const [key = '', ...rest] = value.split('=')
    return keptCommand.test(key) && !idle.test(rest.length > 0 ? rest.join('=') : (values[at + 1] ?? ''))
  })
}
