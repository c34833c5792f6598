const named =
  /^(?:.*[_-])?(?:path|paths|pathname|file|files|filename|dir|directory|folder|root|cwd|source|destination|src|dest|target)$/i
const joined = /(?:Path|Paths|File|Files|Dir|Directory|Folder)$/

/**
 * The files that a call of a foreign tool speaks of: texts and names of fields that are written like paths from the root
 * or the home or lead upwards, `file:` addresses, and any text under a name that says that it is a path. All of the input
 * is looked at, however deep.
 *
 * @example pathsIn({ path: 'notes.txt', text: 'hello' }) // ['notes.txt']
 */
export function pathsIn(input: unknown): readonly string[] {
  const found = new Set<string>()
  const parts: (readonly [unknown, string])[] = [[input, '']]
  // The list grows while it is walked.
  for (const [value, key] of parts) {
    if (typeof value === 'string') {
      const path = pathOf(value, key)
      if (path !== null) found.add(path)
    } else if (Array.isArray(value)) for (const each of value) parts.push([each, key])
    else if (typeof value === 'object' && value !== null)
      for (const [name, each] of Object.entries(value)) parts.push([name, ''], [each, name])
  }
  return [...found]
}

function pathOf(text: string, key: string): string | null {
  if (text === '') return null
  if (/^file:/i.test(text)) return decoded(text.replace(/^file:(?:\/\/(?:localhost)?(?=\/))?/i, ''))
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) return null
  if (named.test(key) || joined.test(key)) return text
  if (text.includes('\n')) return null
  return /^(?:\/(?!\/\s)|~\/|\.{1,2}\/)/.test(text) || /(?:^|\/)\.\.(?:\/|$)/.test(text) || text === '~' ? text : null
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
