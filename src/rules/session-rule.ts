import type { CallDescription } from '../protocol/tool.ts'

/**
 * The narrowest rule that covers this very call again, for "allow for this session".
 * `sessionRule({tool: 'Bash', input: {command: 'npm test'}})` → `Bash(npm test)`.
 */
export function sessionRule(call: Pick<CallDescription, 'tool' | 'input'>): string {
  const subject = subjectOf(call.input)
  return subject === null ? call.tool : `${call.tool}(${subject})`
}

function subjectOf(input: unknown): string | null {
  if (typeof input !== 'object' || input === null) return null
  const { command, file_path: file, path } = input as Record<string, unknown>
  if (typeof command === 'string') return command
  if (typeof file === 'string') return absoluteRule(file)
  return typeof path === 'string' ? absoluteRule(path) : null
}

/** In rules a leading `//` is the file system's root, a single `/` the project's. */
function absoluteRule(path: string): string {
  return path.startsWith('/') ? `/${path}` : path
}
