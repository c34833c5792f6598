import type { ImageBlock, TextBlock } from '../../../protocol/conversation/message.ts'
import type { McpContent, McpResult } from '../../../protocol/mcp/listing.ts'

type Block = TextBlock | ImageBlock

/** Pictures of one result, and the longest of them in characters of base64. */
const mostImages = 10
const longestImage = 5_000_000
const seen = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const

/**
 * A server's result as a model reads it: texts and pictures as they are, all else in words that say what there is. What
 * is only structured is given as JSON.
 */
export function resultBlocks(server: string, { content, structured }: McpResult): readonly Block[] {
  let images = 0
  const blocks = content.map((part): Block => {
    const block = blockOf(server, part)
    if (block.type === 'text') return block
    images += 1
    return images > mostImages ? note(`one more picture, of type ${block.media_type}`) : block
  })
  const says = blocks.some((block) => block.type === 'image' || block.text !== '')
  if (structured !== undefined && !says) return [text(JSON.stringify(structured))]
  return says ? blocks : [note('no content')]
}

function blockOf(server: string, part: McpContent): Block {
  const { type } = part
  if (type === 'text') return text(stringOf(part['text']))
  if (type === 'image') return picture(stringOf(part['data']), stringOf(part['mimeType']))
  if (type === 'audio') return note(`audio of type ${stringOf(part['mimeType'])}, which cannot be heard here`)
  if (type === 'resource_link') {
    const title = stringOf(part['title'] ?? part['name'])
    const about = stringOf(part['description']).slice(0, 500)
    return text(
      `[resource @${server}:${stringOf(part['uri'])}${title === '' ? '' : `: ${title}`}${about === '' ? '' : ` (${about})`}]`,
    )
  }
  if (type === 'resource') return resource(server, (part['resource'] ?? {}) as McpContent)
  return note(`a part of type ${stringOf(type).slice(0, 40)}, which is not known here`)
}

function resource(server: string, given: McpContent): Block {
  const { uri, mimeType, text: words, blob } = given
  const name = `@${server}:${stringOf(uri)}`
  if (typeof words === 'string') return text(`[resource ${name}]\n${words}`)
  if (typeof blob !== 'string') return note(`resource ${name}, which is empty`)
  const shown = picture(blob, stringOf(mimeType))
  return shown.type === 'image'
    ? shown
    : note(`resource ${name} of type ${stringOf(mimeType)}, ${blob.length} characters of base64`)
}

function picture(data: string, given: string): Block {
  const type = seen.find((each) => each === given)
  if (type === undefined) return note(`a picture of type ${given.slice(0, 40)}, which cannot be seen here`)
  if (data.length > longestImage) return note(`a picture of ${data.length} characters, more than ${longestImage}`)
  return { type: 'image', media_type: type, data }
}

function text(words: string): TextBlock {
  return { type: 'text', text: words }
}

function note(words: string): TextBlock {
  return text(`[${words}]`)
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
