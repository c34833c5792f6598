const named =
  /^(?:(?:.*[_-])?(?:path|paths|file|files|filename|dir|directory|folder|root|cwd|source|destination|src|dest|target)|.*(?:Path|Paths|File|Files|Dir|Directory|Folder))$/
/** Depth and number of arguments that are looked at. */
const deepest = 6
const most = 1_000

/**
 * The files that a call of a foreign tool speaks of: texts that are written like paths from the root or the home, `file:`
 * addresses, and any text under a name that says that it is a path.
 *
 * @example pathsIn({ path: 'notes.txt', text: 'hello' }) // ['notes.txt']
 */
export function pathsIn(input: unknown): readonly string[] {
  const found = new Set<string>()
  let looked = 0
  const look = (value: unknown, key: string, depth: number): void => {
    looked += 1
    if (looked > most || depth > deepest) return
    if (typeof value === 'string') {
      const path = pathOf(value, key)
      if (path !== null) found.add(path)
    } else if (Array.isArray(value)) for (const each of value) look(each, key, depth + 1)
    else if (typeof value === 'object' && value !== null)
      for (const [name, each] of Object.entries(value)) look(each, name, depth + 1)
  }
  look(input, '', 0)
  return [...found]
}

function pathOf(text: string, key: string): string | null {
  if (text === '' || text.length > 4_096 || text.includes('\n')) return null
  if (/^file:\/\//i.test(text)) return decoded(text.replace(/^file:\/\/(?:localhost)?/i, ''))
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) return null
  if (/^(?:\/(?!\/)|~\/|\.{1,2}\/)/.test(text) || text === '~') return text
  return named.test(key) ? text : null
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
