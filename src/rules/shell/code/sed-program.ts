/** The effects of a program of sed, as its commands tell them. */
export interface SedProgram {
  /** Each command `e` that names a shell line, with its address. */
  readonly runs: readonly string[]
  /** A bare `e`, or the flag `e` of `s`, runs lines that sed reads or makes. */
  readonly runsInput: boolean
  readonly files: readonly { readonly path: string; readonly access: 'read' | 'edit' }[]
}

/**
 * Reads a program of GNU sed command by command, each with the end that sed gives it.
 *
 * @returns Null for a program with a command that is not known here, or whose end is in doubt.
 * @example sedProgram('1e date') // { runs: ['1e date'], runsInput: false, files: [] }
 */
export function sedProgram(text: string): SedProgram | null {
  const runs: string[] = []
  const files: SedProgram['files'][number][] = []
  let runsInput = false
  let at = 0
  for (;;) {
    at = behind(between, text, at)
    if (at === text.length) return { runs, runsInput, files }
    command.lastIndex = behind(addresses, text, at)
    const found = command.exec(text)?.groups
    if (found === undefined) return null
    const start = at
    at = command.lastIndex
    const { run, flags = '', read, written = found['result'] } = found
    if (run !== undefined && run !== '') runs.push(text.slice(start, at))
    if (run === '' || flags.includes('e')) runsInput = true
    if (read !== undefined) files.push({ path: read, access: 'read' })
    if (written !== undefined) files.push({ path: written, access: 'edit' })
  }
}

/** Each pattern fits at least the empty text. */
function behind(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  pattern.test(text)
  return pattern.lastIndex
}

/** Any blank may stand between commands. */
const between = /[ \t\n\v\f\r;]*/y

/** A text ends at its sign: only a backslash makes the sign, or the end of a line, a part of it. */
const upTo = (sign: string): string => String.raw`(?:\\[^]|(?!\k<${sign}>)[^\\\n])*\k<${sign}>`
/** In the brackets of a pattern the sign is a letter as any other, and so is a backslash. */
const brackets = String.raw`\[(?:\^?\]|\^(?!\])|(?![\]^]))(?:\[:\w*:\]|\[\.[^\n\].]\.\]|\[=[^\n\]=]=\]|\[(?![.:=])|[^\]\n[])*\]`
const patternTo = (sign: string): string => String.raw`(?:\\[^]|${brackets}|(?!\k<${sign}>)[^\\\n[])*\k<${sign}>`
const sign = (name: string): string => `(?<${name}>[!-Z^-~])`
const searched = (name: string): string => String.raw`(?:(?=/)|\\)${sign(name)}${patternTo(name)}(?:[ \t]*[IM])*`
const lines = String.raw`\d+(?:[ \t]*~[ \t]*\d+)?|\$`
const from = `(?:${lines}|${searched('from')})`
const to = String.raw`(?:${lines}|[+~]\d+|${searched('to')})`
const addresses = new RegExp(String.raw`(?:${from}[ \t]*(?:,[ \t]*${to}[ \t]*)?)?(?:![ \t]*)?`, 'y')

const end = String.raw`(?=[;\n}#]|$)`
const ends = `[ \\t]*${end}`
const rest = (name: string): string => String.raw`[ \t]*(?<${name}>[^\n]+)`
const command = new RegExp(
  [
    String.raw`\{|#[^\n]*`,
    String.raw`[}=dDFgGhHnNpPxz]${ends}`,
    String.raw`[lqQ][ \t]*\d*${ends}`,
    String.raw`v[ \t]*[\d.]*${ends}`,
    String.raw`(?:[btT]|:[ \t]*(?=\w))[ \t]*[\w.-]*${ends}`,
    // The text of one line: it begins behind the letter, or behind a backslash and the end of the line.
    String.raw`[aic][ \t]*(?:\\(?:[ \t]*|\n[ \t]*)(?=[^\s\\])|(?=[^\s\\]))(?:\\[^]|[^\\\n])*`,
    String.raw`[aic][ \t]*\\$`,
    String.raw`e[ \t]*(?<run>[^\n]*)`,
    `[rR]${rest('read')}`,
    `[wW]${rest('written')}`,
    String.raw`y${sign('y')}${upTo('y')}${upTo('y')}${ends}`,
    String.raw`s${sign('s')}${patternTo('s')}${upTo('s')}(?<flags>[gpIiMme\d \t]*)(?:w${rest('result')}|${end})`,
  ].join('|'),
  'y',
)
