import { fileOfScope, removeServer, writeServer, type WrittenPlace } from '../../adapters/mcp/config/write-servers.ts'
import { mcpServerNameSchema, mcpServerSchema } from '../../protocol/mcp/server-spec.ts'

/**
 * Adds a server to the files of a person or project.
 * @returns the file that was written
 * @throws when the entry is none; the message names the field
 */
export function addServer(place: WrittenPlace, name: string, entry: unknown): string {
  const named = mcpServerNameSchema.safeParse(name)
  if (!named.success) throw new Error(`the name "${name}" ${named.error.issues[0]?.message ?? 'is wrong'}`)
  const parsed = mcpServerSchema.safeParse(entry)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Error(`${issue?.path.join('.') || 'the entry'}: ${issue?.message ?? 'is wrong'}`)
  }
  writeServer(place, name, parsed.data)
  return fileOfScope(place)
}

/** Takes a server out of the files of a person or project; null when it was not there. */
export function dropServer(place: WrittenPlace, name: string): string | null {
  return removeServer(place, name) ? fileOfScope(place) : null
}
