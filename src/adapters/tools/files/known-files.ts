import { resolveFrom } from '../../../rules/paths/path-inside.ts'
import type { ToolContext } from '../../../protocol/tools/tool.ts'
import type { Message, ToolUseBlock } from '../../../protocol/conversation/message.ts'
import { resolveReal } from '../../fs/resolve-real.ts'

const memoryKey = 'files.known'
const keptBytes = 256 << 10
const keptTogether = 8 << 20

/** The content of a file as a member last saw it. */
interface Known {
  /** Null when it was seen in an earlier life, of which only the fact is left. */
  readonly hash: string | null
  /** The content, when it is small. */
  readonly bytes?: Uint8Array
}

export interface SeenFile {
  readonly real: string
  readonly hash: string
  readonly bytes?: Uint8Array | undefined
}

type Memory = Pick<ToolContext, 'memory'>

/** Remembers that the member has seen this content, or has written it. */
export function rememberFile({ memory }: Memory, { real, hash, bytes }: SeenFile): void {
  const known = knownFiles(memory)
  known.delete(real)
  known.set(real, bytes === undefined || bytes.length > keptBytes ? { hash } : { hash, bytes })
  let kept = 0
  for (const [path, each] of [...known].toReversed()) {
    kept += each.bytes?.length ?? 0
    if (each.bytes !== undefined && kept > keptTogether) known.set(path, { hash: each.hash })
  }
}

/** Remembers only that a file was seen: for a member that goes on after a restart. */
export function rememberSeen({ memory }: Memory, real: string): void {
  const known = knownFiles(memory)
  if (!known.has(real)) known.set(real, { hash: null })
}

/**
 * Why a member may not change a file yet, in words, or null: it has never seen it, or somebody changed it since.
 *
 * @example whyNotYet(context, '/project/a.txt', { real, hash, bytes })
 */
export function whyNotYet(
  context: Pick<ToolContext, 'memory' | 'writers'>,
  path: string,
  now: SeenFile,
): string | null {
  const known = knownFiles(context.memory).get(now.real)
  if (known === undefined) return unseen(path)
  if (known.hash === null || known.hash === now.hash) return null
  const who = context.writers?.writerOf(now.real, now.hash)
  const by = who === undefined ? 'not with the team’s file tools: by a command or a person' : `by ${who}`
  const what = known.bytes && now.bytes ? changedLines(known.bytes, now.bytes) : ''
  const shown = what === '' ? '' : `\n${what}`
  return `${path} was changed since you read it, ${by}. Nothing was written. Read it again, then decide.${shown}`
}

/** The part of it that needs no content: `whyUnseen(context, '/project/a.txt', real)`. */
export function whyUnseen({ memory }: Memory, path: string, real: string): string | null {
  return knownFiles(memory).has(real) ? null : unseen(path)
}

function unseen(path: string): string {
  return `${path} exists and you have not read it. Read it before you change it.`
}

function knownFiles(memory: Map<string, unknown>): Map<string, Known> {
  const kept = memory.get(memoryKey)
  if (kept instanceof Map) return kept as Map<string, Known>
  const fresh = new Map<string, Known>()
  memory.set(memoryKey, fresh)
  return fresh
}

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
    rememberSeen(context, resolveReal(resolveFrom(context.cwd, context.home, path)))
  } catch {
    // A path that leads nowhere now has to be read again.
  }
}

const shownLines = 20
const shownChars = 200

/**
 * Where two versions of a text differ, as the lines that now stand there.
 *
 * @example changedLines(Buffer.from('a\nb\n'), Buffer.from('a\nc\n')) // 'Line 2 was replaced by:\n     2\tc'
 */
export function changedLines(before: Uint8Array, after: Uint8Array): string {
  const [old, now] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1
  let same = 0
  while (same < Math.min(old.length, now.length) - start && old.at(-1 - same) === now.at(-1 - same)) same += 1
  const [gone, come] = [old.slice(start, old.length - same), now.slice(start, now.length - same)]
  if (come.length === 0) return gone.length === 0 ? '' : `${place(start, gone.length)} removed.`
  const head = gone.length === 0 ? `After line ${start} there is now:` : `${place(start, gone.length)} replaced by:`
  const shown = come.slice(0, shownLines).map((line, i) => `${String(start + 1 + i).padStart(6)}\t${short(line)}`)
  const rest = come.length > shownLines ? [`[${come.length - shownLines} more lines]`] : []
  return [head, ...shown, ...rest].join('\n')
}

function place(start: number, count: number): string {
  return count === 1 ? `Line ${start + 1} was` : `Lines ${start + 1}-${start + count} were`
}

function linesOf(bytes: Uint8Array): readonly string[] {
  return new TextDecoder().decode(bytes).split('\n')
}

function short(line: string): string {
  const plain = line.replace(/\r$/, '')
  return plain.length > shownChars ? `${plain.slice(0, shownChars).replace(/[\uD800-\uDBFF]$/, '')}…` : plain
}
