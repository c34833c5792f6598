import type { Attachment, Message, TextBlock, ToolResult } from '../../protocol/conversation/message.ts'
import { blockChars } from './fullness.ts'

type Block = TextBlock | Attachment

/** The usual cut: a text that is longer than the first is shortened to the second. */
const [longText, shortText] = [2_000, 1_600]
/** Share of a shortened text that is its beginning. */
const head = 0.75

/** The todo list, and a summary, are shortened to no less than this. */
const leastStanding = 4_000

const cutMark = 'characters were left out to make room …]'

/** The length that a message is shortened to: texts of at most so many characters (default: the usual cut of long results). */
interface Cut {
  readonly chars?: number
  /** Calls whose results say nothing that still holds. */
  readonly stale?: readonly string[] | undefined
}

/** The message with its long texts cut to their beginning and end, and without its images. Own words of the agent stay. */
export function shortMessage(message: Message, { chars = shortText, stale = [] }: Cut = {}): Message {
  if (message.role === 'assistant') return message
  if (message.role === 'user') {
    const content = shortBlocks(message.content, leastOf(message.origin === 'summary', chars))
    return content === message.content ? message : { ...message, content }
  }
  const results = message.results.map((result) =>
    stale.includes(result.call_id) ? staleResult(result) : shortResult(result, chars),
  )
  return results.every((result, index) => result === message.results[index]) ? message : { ...message, results }
}

/** The characters that a message loses when it is shortened so; without making it. */
export function savedBy(message: Message, { chars = shortText, stale = [] }: Cut = {}): number {
  if (message.role === 'assistant') return 0
  if (message.role === 'user') return savedIn(message.content, leastOf(message.origin === 'summary', chars))
  return message.results.reduce((sum, { call_id, tool, content }) => {
    if (!stale.includes(call_id)) return sum + savedIn(content, leastOf(tool === 'TodoWrite', chars))
    return sum + content.reduce((whole, block) => whole + blockChars(block), 0) - staleText.length
  }, 0)
}

function leastOf(isStanding: boolean, chars: number): number {
  return isStanding ? Math.max(chars, leastStanding) : chars
}

function savedIn(blocks: readonly Block[], chars: number): number {
  let saved = 0
  for (const block of blocks) {
    if (block.type !== 'text') saved += blockChars(block) - leftOutText(block).length
    else if (block.text.length > limitOf(chars)) saved += block.text.length - cutLength(block.text.length, chars)
  }
  return saved
}

/** Whether a part of the result was left out. */
export function isShortened({ content }: ToolResult): boolean {
  return content.some((block) => block.type === 'text' && (block.text.includes(cutMark) || block.text === staleText))
}

const staleText = '[What stood here is out of date: it was read again or changed later.]'

function staleResult(result: ToolResult): ToolResult {
  return { ...result, content: [{ type: 'text', text: staleText }] }
}

function shortResult(result: ToolResult, chars: number): ToolResult {
  const content = shortBlocks(result.content, leastOf(result.tool === 'TodoWrite', chars))
  return content === result.content ? result : { ...result, content }
}

function shortBlocks<Of extends Block>(blocks: Of[], chars: number): (Of | TextBlock)[] {
  const short = blocks.map((block) => shortBlock(block, chars))
  return short.every((block, index) => block === blocks[index]) ? blocks : short
}

function shortBlock<Of extends Block>(block: Of, chars: number): Of | TextBlock {
  if (block.type !== 'text') return { type: 'text', text: leftOutText(block) }
  return block.text.length > limitOf(chars) ? { ...block, text: cut(block.text, chars) } : block
}

function leftOutText(block: Attachment): string {
  if (block.type === 'document') return `[the PDF ${block.name} was left out]`
  return `[an image of type ${block.media_type} was left out]`
}

/** A text that is hardly longer stays: the note would be as long as what it stands for. */
function limitOf(chars: number): number {
  return chars === shortText ? longText : chars + 100
}

function cut(text: string, chars: number): string {
  const [headChars, tailChars] = endsOf(chars)
  const note = noteOf(text.length - headChars - tailChars)
  return `${text.slice(0, headChars)}${note}${text.slice(-tailChars)}`.toWellFormed()
}

function cutLength(length: number, chars: number): number {
  const [headChars, tailChars] = endsOf(chars)
  return headChars + tailChars + noteOf(length - headChars - tailChars).length
}

function endsOf(chars: number): readonly [head: number, tail: number] {
  return [Math.floor(chars * head), Math.floor(chars * (1 - head))]
}

function noteOf(left: number): string {
  return `\n[… ${left} ${cutMark}\n`
}
