import type { BashCommand } from '../bash-command.ts'
import { commandName, unwrapped } from '../bash-wrappers.ts'

/** The texts of a line that come out of some of its commands. */
export interface Said {
  /** As they stand on the line; an empty one where nobody knows what comes with them. */
  readonly texts: readonly string[]
  /** A program makes other texts of them. */
  readonly changed: boolean
}

/** Builtins that keep what comes in, or need nothing of it. */
const keepers = /^(read|mapfile|readarray|git|gh|:|true|false|test|\[|\[\[|cd|)$/

/**
 * The texts that `echo`, `printf` and here-documents hand on.
 *
 * @param before Texts of the line that come in.
 * @example saidBy(commands of `echo cm0K | base64 -d`) // { texts: ['cm0K'], changed: true }
 */
export function saidBy(commands: readonly BashCommand[], before?: Said): Said | undefined {
  const texts: string[] = []
  let [changed, heard, others] = [before?.changed === true, false, false]
  for (const { words: written, perhaps, fed } of commands) {
    if (perhaps === true) continue
    const words = unwrapped(written)
    const name = commandName(words)
    if (name === 'echo' || name === 'printf') {
      const values = words.slice(1).map(({ value, text }) => value ?? withoutQuotes(text))
      // The text goes into a variable.
      if (name === 'printf' && values[0]?.startsWith('-v') === true) continue
      heard = true
      texts.push(withSigns(name === 'echo' ? echoed(values) : printed(values)))
    } else if (fed !== undefined && handsOn(name)) {
      heard = true
      texts.push(...fed)
      if (words.some(({ value }, at) => at > 0 && name === 'cat' && value !== '-')) texts.push('')
    } else if (!keepers.test(name)) {
      others = true
      changed ||= fed !== undefined || saysRemoval(words)
    }
  }
  if (!heard && !changed) return undefined
  return { texts: others && heard && !changed ? [...texts, ''] : texts, changed }
}

/** `awk '{print "rm -rf " $1}'` */
function saysRemoval(words: BashCommand['words']): boolean {
  const text = words.map(({ value, text: written }) => value ?? written).join(' ')
  return /(^|[^\w.-])rm\b/.test(text) && /\s-\w*[rR]|\s--r/.test(text)
}

/** A text with expansions, as it stands between its quotes. */
function withoutQuotes(text: string): string {
  return text.replaceAll(/(?<!\\)"/g, '').replaceAll(/\\(["\\])/g, '$1')
}

/** The program hands on what comes in as it is. */
function handsOn(name: string): boolean {
  return name === 'cat' || name === 'tee'
}

function echoed(values: readonly string[]): string {
  const first = values.findIndex((value) => !/^-[neE]+$/.test(value))
  return first === -1 ? '' : values.slice(first).join(' ')
}

/** Words that are put into a format, as often as it takes to use them all. */
function printed(values: readonly string[]): string {
  const [format = '', ...words] = values[0] === '--' ? values.slice(1) : values
  const places = format.replaceAll('%%', '').match(/%[sbd]/g) ?? []
  if (places.length === 0 || /%[^sbd%]/.test(format)) return [format, ...words].join(' ')
  const rounds = Math.max(1, Math.ceil(words.length / places.length))
  let next = -1
  return Array.from({ length: rounds }, () =>
    format.replaceAll(/%([sbd%])/g, (_place, kind: string) => {
      if (kind === '%') return '%'
      next += 1
      return words[next] ?? ''
    }),
  ).join('')
}

const escapes = /\\(?:x([\da-f]{1,2})|0?([0-7]{1,3})|[nrtv])/gi

function withSigns(text: string): string {
  return text.replaceAll(escapes, (_all, hex?: string, octal?: string) =>
    hex === undefined && octal === undefined
      ? '\n'
      : signOf(Number.parseInt(hex ?? octal ?? '', hex === undefined ? 8 : 16)),
  )
}

/** The sign that parts names in lists stands for the end of a line. */
function signOf(code: number): string {
  return code === 0 ? '\n' : String.fromCharCode(code)
}
