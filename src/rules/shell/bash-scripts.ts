import type { BashWord } from './bash-word.ts'
import { commandName, programOf, starts } from './bash-wrappers.ts'

const shells = new Set('bash sh dash ash zsh ksh mksh yash fish csh tcsh'.split(' '))
/** Shells whose `-c` another program is asked to use: `su -c '…'`. */
const borrowers = new Set('su runuser script sg flock capsh nix-shell'.split(' '))

/** Scripts that stand as text in a command's arguments. */
export interface WrittenScripts {
  readonly texts: readonly string[]
  /** One more script text is known only to a running shell. */
  readonly unseen: boolean
}

const none: WrittenScripts = { texts: [], unseen: false }

/** `isShell('/bin/bash')`: runs whatever script it is given. */
export function isShell(words: readonly BashWord[]): boolean {
  return shells.has(commandName(words))
}

/** Shells whose globs stand for more files than those of bash, or may do so. */
const otherGlobs = /^(zsh|ksh|mksh|yash|fish|csh|tcsh)$/

/** `bash -O dotglob -c '…'`: globs in its script may stand for other names, or for none. */
export function widensGlobs(words: readonly BashWord[]): boolean {
  return starts(words).some((at) => {
    const name = programOf(words[at])
    if (name.startsWith('GLOBIGNORE=')) return true
    if (!shells.has(name)) return false
    return otherGlobs.test(name) || words.some(({ value }) => /^[-+][a-zA-Z]*O$/.test(value ?? ''))
  })
}

/**
 * Finds the scripts of `bash -c '…'`, `eval …`, `env -S '…'`, `su -c '…'`, also behind wrappers.
 *
 * @example `sudo sh -c 'rm x'` → { texts: ['rm x'], unseen: false }
 */
export function writtenScripts(words: readonly BashWord[]): WrittenScripts {
  let found = none
  for (const at of starts(words)) {
    const more = scriptsOf(at === 0 ? words : words.slice(at))
    if (more === none) continue
    found = { texts: [...found.texts, ...more.texts], unseen: found.unseen || more.unseen }
  }
  if (found.texts.length > 0 && replacesText(words)) return { ...found, unseen: true }
  return found
}

function scriptsOf(words: readonly BashWord[]): WrittenScripts {
  const name = commandName(words)
  if (name === 'eval') return evaluated(words.slice(1))
  if (shells.has(name)) return shellScript(words)
  if (name === 'env') return splitString(words)
  if (name === 'trap') return trapped(words)
  return borrowers.has(name) ? borrowed(words) : none
}

function evaluated(words: readonly BashWord[]): WrittenScripts {
  const values = words.map((word) => word.value)
  if (values.some((value) => value === null)) return { texts: [], unseen: true }
  return { texts: [values.filter((value, i) => i > 0 || value !== '--').join(' ')], unseen: false }
}

/**
 * Options of `set`, or of a shell, after which a line is not what it looks like: words that are assignments, lines put
 * together from earlier ones.
 *
 * @example `set -o history -H` → true
 */
export function readsOtherwise(options: readonly BashWord[]): boolean {
  return options.some(({ value, glob }, at) => {
    if (value === null || (glob && /^[*?[]/.test(value))) return true
    if (/^[-+][a-zA-Z]*o$/.test(options[at - 1]?.value ?? '')) return glob || otherwise.test(value)
    return /^[-+][a-zA-Z]*[akP]|^-[a-zA-Z]*[fH]/.test(value)
  })
}

const otherwise = /^(keyword|allexport|posix|history|histexpand|noglob)$/

/** The script of `bash -c`; unseen where an option before it changes how it is read. */
function shellScript(words: readonly BashWord[]): WrittenScripts {
  const script = scriptBehind(words)
  const [text] = script.texts
  if (text === undefined) return script
  const end = words.findIndex(({ value }, at) => at > 0 && value === text)
  const isOther = readsOtherwise(words.slice(1, end)) || (plainShells.has(commandName(words)) && isOnlyForBash(text))
  return isOther ? { ...script, unseen: true } : script
}

/** Shells that may be another one than bash. */
const plainShells = new Set(['sh', 'dash', 'ash'])

/** Signs that mean one thing to bash, and another to a plain shell: `[^a]`, `$'…'`, a sign for "greater" in `[[`, `.*` as a part of a path. */
function isOnlyForBash(script: string): boolean {
  if (!/\[[[^]|\$'|\.\*/.test(script)) return false
  const bare = script.replaceAll(/'[^']*'|"(?:\\.|[^"\\])*"/gs, "''")
  return script.includes("$'") || /\[\^|\[\[[^\n;]*[<>]|(?:^|[\s/=])\.\*\//.test(bare)
}

/** Options may stand on both sides of `-c`; the script is what follows them. */
function scriptBehind(words: readonly BashWord[]): WrittenScripts {
  let commands = false
  for (let at = 1; at < words.length; at += 1) {
    const { value } = words[at] ?? { value: '' }
    if (value === null) return { texts: [], unseen: true }
    if (!/^[-+]./.test(value)) return commands ? { texts: [value], unseen: false } : none
    if (value === '--') return commands ? asScript(words[at + 1]) : none
    if (/^-[A-Za-z]*c/.test(value) || value === '--command') commands = true
    if (/^[-+][A-Za-z]*[oO]$|^--(rcfile|init-file)$/.test(value)) at += 1
  }
  return none
}

/** A name of what comes in. */
const input = /^(\/dev\/(stdin|fd\/\d+)|\/proc\/(self|thread-self)\/fd\/\d+)$/

/**
 * Says whether a shell reads its script from what comes in, also behind wrappers.
 *
 * @example readsScript(`sudo bash -s -- a`) // true
 */
export function readsScript(words: readonly BashWord[]): boolean {
  // The commands of `ssh` run on another machine.
  return commandName(words) !== 'ssh' && starts(words).some((at) => readsInput(words.slice(at)))
}

function readsInput(words: readonly BashWord[]): boolean {
  const name = commandName(words)
  const values = words.slice(1).map(({ value }) => value)
  if (name === 'source' || name === '.') return input.test(values[0] ?? '')
  if (name === 'at' || name === 'batch' || name === 'su') return true
  if (name === 'sudo') return values.some((value) => /^(-[a-zA-Z]*[si]|--shell|--login)$/.test(value ?? ''))
  if (!shells.has(name) || values.some((value) => /^-[A-Za-z]*c|^--command$/.test(value ?? ''))) return false
  if (values.some((value) => /^-[A-Za-z]*s/.test(value ?? ''))) return true
  const operand = values.find(
    (value, at) =>
      !/^[-+]/.test(value ?? '-x') && !/^([-+][A-Za-z]*[oO]|--(rcfile|init-file))$/.test(values[at - 1] ?? ''),
  )
  return operand === undefined || operand === null || input.test(operand)
}

/** `trap 'rm x' EXIT`; a lone `-` or nothing at all undoes a trap. */
function trapped(words: readonly BashWord[]): WrittenScripts {
  const [action] = words.slice(1).filter(({ value }) => value !== '--')
  return action === undefined || /^(-.*)?$/.test(action.value ?? 'x') ? none : asScript(action)
}

/** `BASH_FUNC_x%%=() { rm y; }`: a function for each bash that gets the variable. */
const handedFunction = /^BASH_FUNC_[^=]*=\(\)\s*(.*)$/s

function splitString(words: readonly BashWord[]): WrittenScripts {
  const functions = words.flatMap(({ value }) => handedFunction.exec(value ?? '')?.[1] ?? [])
  if (functions.length > 0) return { texts: functions, unseen: true }
  for (const [i, word] of words.entries()) {
    const glued = /^(?:-[A-Za-z]*S|--split-string=?)([\s\S]*)$/.exec(word.value ?? '')?.[1]
    if (i === 0 || glued === undefined) continue
    const rest = words.slice(glued === '' ? i + 2 : i + 1).map(({ value }) => value ?? '$unknown')
    const script = glued === '' ? words[i + 1]?.value : glued
    // Options at its start are those of env. `\_` is a space there, `\c` an end: escapes that no shell knows.
    return script === undefined || script === null || script.includes('\\')
      ? { texts: [], unseen: true }
      : { texts: [[...(/^\s*-/.test(script) ? ['env'] : []), script, ...rest].join(' ')], unseen: false }
  }
  return none
}

function borrowed(words: readonly BashWord[]): WrittenScripts {
  const flag = words.findIndex(
    ({ value }, i) => i > 0 && /^(-[A-Za-z]*c|--command|--run|--session-command)$/.test(value ?? ''),
  )
  if (flag !== -1) return asScript(words[flag + 1])
  const glued = words.flatMap(
    ({ value }) => /^(?:--(?:command|session-command)=|-[A-Za-z]*c)([\s\S]+)$/.exec(value ?? '')?.[1] ?? [],
  )
  return glued.length === 0 ? none : { texts: glued, unseen: false }
}

function asScript(word: BashWord | undefined): WrittenScripts {
  if (word === undefined) return none
  return word.value === null ? { texts: [], unseen: true } : { texts: [word.value], unseen: false }
}

/** `xargs -I % sh -c '%'` puts input into the script. */
function replacesText(words: readonly BashWord[]): boolean {
  const name = commandName(words)
  if (name === 'parallel') return true
  return name === 'xargs' && words.some(({ value }) => /^(-[0oprtx]*[iI]|--replace)/.test(value ?? '-I'))
}
