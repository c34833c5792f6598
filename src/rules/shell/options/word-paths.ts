const nothing: readonly string[] = []

/** `$\{x:-.env}`: the word may come to be the text that stands there. */
export const byDefault = /\$\{\w+:?[-+=]([^{}$`]*)\}/g

/**
 * The paths that a word may name: itself, what stands behind `=` or `:`, what is glued to a short option.
 *
 * @example wordPaths('--file=a.ts') // ['a.ts']
 */
export function wordPaths(value: string): readonly string[] {
  if (value === '' || value === '-' || value === '--') return nothing
  // Most words are one plain name.
  if (!/^[-@]|[=:]/.test(value)) return [value]
  const file = /^fileb?:\/\/(?:localhost(?=\/)|127\.0\.0\.1(?=\/))?(.*)/is.exec(value)?.[1]
  if (file !== undefined) return [decoded(file)]
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return []
  const assigned = captured(/^[\w.-]+=(.+)$/s, value)
  if (value.startsWith('-')) return assigned.length > 0 ? assigned : gluedIn(value)
  return [
    value.replace(/^@/, ''),
    ...assigned.map((path) => path.replace(/^@/, '')),
    ...captured(/^[^/]*:(.+)$/s, value),
  ]
}

/** `-f/etc/x`, `-1rt/etc`: any flag letter may be the one that takes the rest as its value. */
function gluedIn(flags: string): string[] {
  if (flags.startsWith('--') || flags.length < 3) return []
  const letters = /^-([A-Za-z0-9]*)/.exec(flags)?.[1]?.length ?? 0
  return Array.from({ length: Math.min(letters, 8, flags.length - 2) }, (_, i) => flags.slice(i + 2))
}

/** The paths in a word with variables, where each is what it would be without the environment: `${X:-a.ts}`. */
export function defaultsIn({
  value,
  text,
}: {
  readonly value: string | null
  readonly text: string
}): readonly string[] {
  if (value !== null || !text.includes('${')) return nothing
  const plain = text.replaceAll(byDefault, '$1').replaceAll(/["'\\]/g, '')
  return plain.includes('$') ? nothing : wordPaths(plain)
}

/** `f=<.env;type=x`, `./.env:/x:ro`, `k=@.env`: what stands between the signs may be a file. */
export function piecesIn(value: string): readonly string[] {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value) && !value.startsWith('file:')) return nothing
  const plain = value.startsWith('file:') ? decoded(value.replace(/^file:\/*(?=\/)/, '')) : value.replace(/^-+\w/, '')
  const pieces = plain.split(/[@=:,;<]+/).map((piece) => piece.replaceAll(/^["']+|["']+$/g, ''))
  return pieces.filter((piece) => /^\/$|[\w.~]/.test(piece) && !/\s/.test(piece))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function captured(pattern: RegExp, text: string): string[] {
  const found = pattern.exec(text)?.[1]
  return found === undefined ? [] : [found]
}
