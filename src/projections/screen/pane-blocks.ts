import { failureText } from '../../protocol/conversation/failure.ts'
import {
  textOf,
  resultText,
  type AssistantMessage,
  type CallEnding,
  type Message,
  type ToolResult,
  type ToolUseBlock,
  type UserMessage,
} from '../../protocol/conversation/message.ts'
import { readEnding, type ReadEnding } from './call-ending.ts'
import { callLabel } from './call-label.ts'
import type { TranscriptLine } from './transcript.ts'

/** A message or an event, in its own words. */
export interface SaidBlock {
  readonly kind: Exclude<TranscriptLine['kind'], 'call' | 'result'>
  readonly entry: string
  /** Fits on a line. */
  readonly head: string
  readonly text: string
}

/** One tool call with what came of it: one line when folded, everything when unfolded. */
export interface CallBlock {
  readonly kind: 'call'
  readonly entry: string
  readonly call_id: string
  readonly label: string
  readonly input: unknown
  readonly state: 'asked' | 'waiting' | 'running' | ReadEnding['state']
  /** How it ended, where that is more than its state: `exit 1`. */
  readonly ending: string
  /** The last of the call's output while the call runs. */
  readonly progress: string
  readonly result: string
  readonly duration_ms: number | null
}

/** A piece of a pane. It never changes: what becomes of it is another object in its place. */
export type Block = SaidBlock | CallBlock

/** The blocks that a message adds to a pane. The results of calls go where the calls are. */
export function blocksOf(entry: string, message: Message): readonly Block[] {
  if (message.role === 'tool') return []
  return message.role === 'user' ? [userBlock(entry, message)] : assistantBlocks(entry, message)
}

/** The call as it is after its result came. */
export function answeredCall(call: CallBlock, result: ToolResult): CallBlock {
  return { ...endedCall(call, result), result: resultText(result) }
}

/** The call as it is after it ended. */
export function endedCall(call: CallBlock, ended: CallEnding): CallBlock {
  const { state, word: ending } = readEnding(ended)
  return { ...call, state, ending }
}

function userBlock(entry: string, message: UserMessage): SaidBlock {
  return { kind: message.origin === 'person' ? 'person' : 'note', entry, head: message.origin, text: textOf(message) }
}

function assistantBlocks(entry: string, { content, failure }: AssistantMessage): readonly Block[] {
  const blocks = content.flatMap((block): readonly Block[] => {
    if (block.type === 'tool_use') return [callBlock(entry, block)]
    if (block.type !== 'text' && block.type !== 'thinking') return []
    if (block.text.trim() === '') return []
    return [{ kind: block.type === 'text' ? 'say' : 'think', entry, head: '', text: block.text }]
  })
  if (!failure) return blocks
  return [...blocks, { kind: 'error', entry, head: `model: ${failure.code}`, text: failureText(failure) }]
}

function callBlock(entry: string, { id, name, input }: ToolUseBlock): CallBlock {
  const label = callLabel(name, input)
  return {
    kind: 'call',
    entry,
    call_id: id,
    label,
    input,
    state: 'asked',
    ending: '',
    progress: '',
    result: '',
    duration_ms: null,
  }
}
