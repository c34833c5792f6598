import { minimatch, type MinimatchOptions } from 'minimatch'

/** Sets of letters of a longer part of a path, and more of them, are not read. */
const longestPart = 255
const mostSets = 16

/** Inside of brackets: letters that sort alike, a letter by its name, or a class that only the shell knows. */
const oddClass =
  /\[(?:[.=]|:(?!(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\]))/

/**
 * The pattern with a star in the place of what nobody reads: in each part of a path from a set of letters on that is not
 * known.
 *
 * @example plainPattern('a/.[[=e=]]nv') // 'a/.*'
 */
export function plainPattern(pattern: string): string {
  if (!pattern.includes('[')) return pattern
  return pattern.split('/').map(plainPart).join('/')
}

function plainPart(part: string): string {
  const at = part.search(/(?<!\\)\[/)
  if (at === -1) return part
  const isRead = part.length <= longestPart && part.split('[').length <= mostSets && !oddClass.test(part.slice(at + 1))
  return isRead ? part : `${part.slice(0, at)}*`
}

/** Says whether a pattern may stand for a name: `mayFit('.env', '.[[=e=]]nv', { dot: true })`. */
export function mayFit(name: string, pattern: string, options: MinimatchOptions): boolean {
  return minimatch(name, plainPattern(pattern), options)
}

/** Says whether a pattern stands for a name for sure. */
export function surelyFits(name: string, pattern: string, options: MinimatchOptions): boolean {
  return plainPattern(pattern) === pattern && minimatch(name, pattern, options)
}

/**
 * Says whether a text says a name, as a whole or in words that make it up: `a=(pe .trou)` says `troupe`.
 *
 * @param text in small letters, as the name
 * @param isChanged Parts of what a line keeps as texts may be taken away: `x=.trZoupe` says `troupe` as well.
 */
export function isSpelled(name: string, text: string, isChanged = false): boolean {
  if (text.includes(name)) return true
  if (isChanged && (text.match(/\S*(=|\$\{)\S*/g) ?? []).some((kept) => isScattered(name, kept))) return true
  const pieces = [...new Set(text.replaceAll(/\\[a-z]/g, ' ').match(/[a-z0-9-]+/g))].filter((piece) =>
    name.includes(piece),
  )
  const ends = new Set([0])
  // The set grows while it is gone through.
  for (const at of ends) for (const piece of pieces) if (name.startsWith(piece, at)) ends.add(at + piece.length)
  return ends.has(name.length)
}

/** `isScattered('troupe', '.trzoupe')`: the signs of the name follow each other, perhaps with others between. */
function isScattered(name: string, text: string): boolean {
  let from = 0
  for (const sign of name) {
    const at = text.indexOf(sign, from)
    if (at === -1) return false
    from = at + 1
  }
  return true
}

/** A last part of a path that stands for all names, or for all hidden ones. */
const anyName = /\/[*.?![\]^]*[*?][*.?![\]^]*$/

/**
 * The directory of which a pattern takes all; undefined where it takes less.
 *
 * @example takenWhole('/home/me/.*') // '/home/me'
 */
export function takenWhole(pattern: string): string | undefined {
  return anyName.test(pattern) ? pattern.replace(anyName, '') || '/' : undefined
}
