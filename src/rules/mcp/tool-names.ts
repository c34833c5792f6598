/** Names as models get them: `mcp__server__tool`, of legal characters, at most 64, no two alike. */

const longest = 64
const marked = 8

/** `mcp__github__` for `github`: how the names of all tools of a server begin. */
export function toolPrefix(server: string): string {
  return `mcp__${server}__`
}

/**
 * The name of each tool of a server, in the order of the tools. A name with illegal characters, one that is too long, and
 * one that would be the same as another's, is marked with a hash of what the server calls it: the same every time.
 *
 * @example bridgedNames('fs', ['read_file']) // ['mcp__fs__read_file']
 */
export function bridgedNames(server: string, tools: readonly string[]): readonly string[] {
  const prefix = toolPrefix(server)
  const plain = tools.map((tool) => prefix + tool.replace(/[^A-Za-z0-9_-]/g, '_'))
  const count = new Map<string, number>()
  for (const name of plain) count.set(name, (count.get(name) ?? 0) + 1)
  const isKept = (name: string, i: number): boolean =>
    name.length <= longest && (name === prefix + (tools[i] ?? '') || count.get(name) === 1)
  const taken = new Set(plain.filter(isKept))
  return plain.map((name, i) => {
    if (isKept(name, i)) return name
    let told = `${server}\0${tools[i] ?? ''}`
    // A server that writes both names can give them one mark.
    while (taken.has(withMark(name, told))) told += '\0'
    taken.add(withMark(name, told))
    return withMark(name, told)
  })
}

function withMark(name: string, told: string): string {
  return `${name.slice(0, longest - marked - 1)}_${mark(told)}`
}

/** FNV-1a in 32 bits: no secret, only a short mark that is the same everywhere. */
function mark(text: string): string {
  let hash = 0x811c9dc5
  for (const char of text) {
    hash ^= char.codePointAt(0) ?? 0
    hash = Math.imul(hash, 0x01000193) >>> 0
  }
  return hash.toString(16).padStart(marked, '0')
}

/**
 * Whether a name in a member's list of tools speaks of a bridged tool: `mcp__fs` and `mcp__fs__*` of every tool of the
 * server, `mcp__fs__read_*` of those that begin so, any other name of itself.
 */
export function speaksOf(written: string, tool: string): boolean {
  if (!written.startsWith('mcp__')) return false
  if (written.endsWith('*')) return tool.startsWith(written.slice(0, -1))
  return written === tool || (serverOf(written) === written.slice('mcp__'.length) && tool.startsWith(`${written}__`))
}

/** The server that a name in a list of tools is about: `serverOf('mcp__fs__read')` → `fs`; null for other tools. */
export function serverOf(written: string): string | null {
  const [, server] = /^mcp__((?:(?!__).)+)(?:__.*)?$/s.exec(written) ?? []
  return server ?? null
}
