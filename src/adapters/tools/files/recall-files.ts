import type { Message, ToolUseBlock } from '../../../protocol/conversation/message.ts'
import type { ToolContext } from '../../../protocol/tools/tool.ts'
import { resolveReal } from '../../fs/resolve-real.ts'
import { argumentPath } from '../define/place-of.ts'
import { rememberFile, rememberSeen } from './known-files.ts'

const fileTools = new Set(['Read', 'Write', 'Edit', 'MultiEdit'])

/**
 * Recalls which files a member has seen, for one that goes on after a restart: it need not read them again before it
 * changes them, unless somebody else changed them since.
 *
 * @param seen what it saw of them, by real path; of files that only the conversation tells of any content will do
 * @example recallFiles({ cwd, home, memory }, conversation.messages, seenFiles)
 */
export function recallFiles(
  context: Pick<ToolContext, 'cwd' | 'home' | 'memory'>,
  messages: readonly Message[],
  seen: ReadonlyMap<string, string> = new Map(),
): void {
  for (const [real, hash] of seen) rememberFile(context, { real, hash })
  const calls = new Map<string, ToolUseBlock>()
  for (const message of messages) {
    if (message.role === 'assistant') {
      for (const block of message.content) if (block.type === 'tool_use') calls.set(block.id, block)
    }
    if (message.role !== 'tool') continue
    for (const { call_id, tool, is_error } of message.results) {
      const path = is_error || !fileTools.has(tool) ? null : pathOf(calls.get(call_id))
      if (path !== null) recall(context, path)
    }
  }
}

function pathOf(call: ToolUseBlock | undefined): string | null {
  const input = call?.input
  if (typeof input !== 'object' || input === null || !('file_path' in input)) return null
  return typeof input.file_path === 'string' ? input.file_path : null
}

function recall(context: Pick<ToolContext, 'cwd' | 'home' | 'memory'>, path: string): void {
  try {
    rememberSeen(context, resolveReal(argumentPath(context, path)))
  } catch {
    // A path that leads nowhere now has to be read again.
  }
}
