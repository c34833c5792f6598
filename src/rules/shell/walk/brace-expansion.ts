import type { Word } from 'unbash'

/** More words than this are not made of one. */
const mostWords = 256

/**
 * The words that bash makes of one with braces, before anything else is expanded.
 *
 * @param braces Where the outer braces of the word lie.
 * @returns null where they are too many, or cannot be read.
 * @example expandBraces('a{b,c}d', [[1, 6]]) // ['abd', 'acd']
 */
export function expandBraces(text: string, braces: readonly (readonly [from: number, to: number])[]) {
  let made: string[] = ['']
  let at = 0
  for (const [from, to] of braces) {
    const inside = choices(text.slice(from + 1, to - 1))
    if (inside === null || made.length * inside.length > mostWords) return null
    const between = text.slice(at, from)
    made = made.flatMap((start) => inside.map((choice) => `${start}${between}${choice}`))
    at = to
  }
  return made.map((start) => `${start}${text.slice(at)}`)
}

function choices(inside: string): readonly string[] | null {
  const [, first, last, step = '1'] = /^(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?$/.exec(inside) ?? []
  if (first !== undefined && last !== undefined) return sequence([first, last], Number(step))
  const [, from, to] = /^([a-zA-Z])\.\.([a-zA-Z])$/.exec(inside) ?? []
  if (from !== undefined && to !== undefined) {
    const codes = sequence([String(from.charCodeAt(0)), String(to.charCodeAt(0))], 1)
    return codes?.map((code) => String.fromCharCode(Number(code))) ?? null
  }
  return inside.includes('..') && !inside.includes(',') ? null : commaParts(inside)
}

function sequence([first, last]: readonly [string, string], step: number): readonly string[] | null {
  if (/^-?0\d/.test(first) || /^-?0\d/.test(last)) return null
  const [from, to] = [Number(first), Number(last)]
  // Of greater numbers nobody here knows the last digits.
  if (![from, to, step].every(Number.isSafeInteger)) return null
  const by = Math.max(1, Math.abs(step))
  const count = Math.floor(Math.abs(to - from) / by) + 1
  if (count > mostWords) return null
  return Array.from({ length: count }, (_, i) => String(from + (to < from ? -i : i) * by))
}

/** Split at the commas that stand in no quotes, brackets or inner braces. */
function commaParts(inside: string): readonly string[] | null {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < inside.length; at += 1) {
    const sign = inside[at] ?? ''
    if (sign === '\\') at += 1
    else if (sign === "'" || sign === '"' || sign === '`') {
      const ansi = sign === "'" && inside[at - 1] === '$'
      at = closing(inside, at, ansi || sign !== "'")
      if (at === -1) return null
    } else if (sign === '{' || sign === '(') depth += 1
    else if (sign === '}' || sign === ')') depth -= 1
    else if (sign === ',' && depth === 0) {
      parts.push(inside.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, inside.slice(start)]
}

function closing(text: string, from: number, escapes: boolean): number {
  for (let at = from + 1; at < text.length; at += 1) {
    if (escapes && text[at] === '\\') at += 1
    else if (text[at] === text[from]) return at
  }
  return -1
}

/**
 * Bash may make several words of one in which the syntax tree sees no braces.
 *
 * @example hidesBraces(word of `{a},$}`) // true
 */
export function hidesBraces({ text, parts = [] }: Word): boolean {
  if (!text.includes('{')) return false
  const own = parts.map((part) => (part.type === 'Literal' || part.type === 'Glob' ? part.text : '')).join('')
  return holdsBraces(parts.length === 0 ? text : own) || (/"[^"]*\$\{[^"]*"/.test(text) && holdsBraces(plainly(text)))
}

/** The text without scripts and variables: where quotes stand in an operand, braces are looked for by the next quote. */
function plainly(text: string): string {
  const scripts = /\$\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|`[^`]*`/g
  return text.replaceAll(scripts, '').replaceAll(/\$\{[^{}"']*\}/g, '')
}

function holdsBraces(text: string): boolean {
  const bare = text.replaceAll(/\\.|'[^']*'|"[^"]*"/gs, '')
  return bare.length > longestBraces || [...bare.matchAll(/\{/g)].some(({ index }) => expandsFrom(bare, index))
}

/** In a longer text braces are taken for some that are expanded. */
const longestBraces = 2_000

/** Braces count with a comma, or two dots, that stands in no others; up to there one that closes is a sign like any other. */
function expandsFrom(text: string, from: number): boolean {
  let depth = 0
  let parts = false
  for (let at = from + 1; at < text.length; at += 1) {
    const sign = text[at]
    if (sign === '{') depth += 1
    else if (sign === '}' && depth > 0) depth -= 1
    else if (sign === '}' && parts) return true
    else if (depth === 0) parts ||= sign === ',' || (sign === '.' && text[at + 1] === '.')
  }
  return false
}
