import type { CallDescription, ToolOutput } from '../../protocol/tools/tool.ts'
import { resolveFrom } from '../paths/path-inside.ts'
import { isRecord } from '../../protocol/words/is-record.ts'

/*
 * A call and its result in the words that hooks know.
 */

const fileTools: ReadonlySet<string> = new Set(['Read', 'Write', 'Edit', 'MultiEdit'])

/**
 * The fields of a call. The path of a file is absolute, however the model spelled it: a hook that looks at paths is not got
 * round by `~` or `..`.
 *
 * @example callFields({ tool: 'Read', input: { file_path: 'a.ts' } }, { cwd: '/shop', home: '/home/ann' })
 */
export function callFields(
  { tool, input }: Pick<CallDescription, 'tool' | 'input'>,
  { cwd, home }: { readonly cwd: string; readonly home: string },
): { readonly tool_name: string; readonly tool_input: unknown } {
  if (!fileTools.has(tool) || !isRecord(input) || typeof input['file_path'] !== 'string')
    return { tool_name: tool, tool_input: input }
  return { tool_name: tool, tool_input: { ...input, file_path: resolveFrom(cwd, home, input['file_path']) } }
}

/** `tool_response` of PostToolUse: the shape of Claude Code's own tools, where it has one, and always the text. */
export function responseOf(
  { tool_name: tool, tool_input: input }: ReturnType<typeof callFields>,
  text: string,
): object {
  if (tool === 'Bash') return { stdout: text, stderr: '', interrupted: false, isImage: false, content: text }
  const path = isRecord(input) ? input['file_path'] : undefined
  if (!fileTools.has(tool) || path === undefined) return { content: text }
  return tool === 'Read'
    ? { type: 'text', file: { filePath: path, content: text }, content: text }
    : { filePath: path, success: true, content: text }
}

/**
 * The text that a hook puts in the place of a result; null where the tool has a shape of its own (`responseOf`) and the hook
 * gave another one, so that the result stays.
 *
 * @example replacedText('Bash', { stdout: '[redacted]', stderr: '' }) // '[redacted]'
 */
export function replacedText(tool: string, said: unknown): string | null {
  const own = isRecord(said) ? said : {}
  if (tool === 'Bash') {
    if (typeof own['stdout'] !== 'string') return null
    return [own['stdout'], own['stderr']].filter((part) => typeof part === 'string' && part !== '').join('\n')
  }
  if (tool === 'Read') {
    const { content } = isRecord(own['file']) ? own['file'] : own
    return typeof content === 'string' ? content : null
  }
  if (fileTools.has(tool)) {
    if (typeof own['content'] === 'string') return own['content']
    return typeof own['filePath'] === 'string' ? JSON.stringify(said) : null
  }
  if (typeof said === 'string') return said
  return typeof own['content'] === 'string' ? own['content'] : JSON.stringify(said)
}

/** The text of a result. */
export function outputText({ content }: Pick<ToolOutput, 'content'>): string {
  return content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n')
}
