import { resolveFrom } from '../../../rules/paths/path-inside.ts'
import { z } from 'zod'
import type { OpenFile } from '../../../protocol/tools/filesystem.ts'
import type { ToolContext, ToolOutput, TouchedFile } from '../../../protocol/tools/tool.ts'
import { answer, complaint } from '../define/answer.ts'
import { defineTool } from '../define/define-tool.ts'
import { fileKind, tellingBytes } from './file-kind.ts'
import { rememberFile } from './known-files.ts'
import { readWindow, type FileWindow } from './read-window.ts'
import { richText, sourceOf } from './rich-text.ts'
import { contentHash, hashOfRest } from '../../fs/content-hash.ts'
import { smallerImage } from '../../fs/smaller-image.ts'
import { promptText } from '../prompts/prompt-text.ts'

const defaultLimit = 2_000
const bounds = { maxChars: 60_000, maxLine: 2_000 }
const wholeBytes = 64 << 20
/** Bytes of one image that vendors take, less the growth by base64. */
const imageBytes = 3_700_000
/** The longer side of one that is shown smaller. */
const smallerPixels = 2_000

const input = z.strictObject({
  file_path: z.string().min(1).describe('The file. A relative path starts at the working directory.'),
  offset: z.number().int().min(1).optional().describe('Number of the first line to show, from 1.'),
  limit: z.number().int().min(1).max(10_000).optional().describe(`How many lines to show (default ${defaultLimit}).`),
})

/** Shows a file's lines with their numbers, a page at a time. */
export const read = defineTool({
  name: 'Read',
  aliases: ['read_file'],
  description: promptText('read', { defaultLimit }),
  input,
  effect: 'read',
  isConcurrencySafe: () => true,
  isReadOnly: () => true,
  interrupt: 'cancel',
  maxResultChars: Infinity,
  reuse: 'until_write',
  async stamp(wish, context) {
    const path = resolveFrom(context.cwd, context.home, wish.file_path)
    const opened = await context.files.open(path, context.led?.get(path))
    if ('trouble' in opened) return null
    try {
      return opened.size <= wholeBytes ? stampOf(opened.real, await hashOfRest(opened)) : null
    } finally {
      await opened.close()
    }
  },
  async run(wish, context) {
    const path = resolveFrom(context.cwd, context.home, wish.file_path)
    const opened = await context.files.open(path, context.led?.get(path))
    if ('trouble' in opened) return complaint(opened.trouble)
    try {
      const kind = fileKind(path, await opened.bytes(tellingBytes))
      if (kind.kind === 'plain') return await shownLines(opened, { path, wish }, context)
      if (opened.size > wholeBytes) return complaint(`${path} is larger than 64 MiB.`)
      const bytes = await opened.bytes()
      rememberFile(context, { real: opened.real, hash: contentHash(bytes) })
      if (kind.kind === 'image') return await shownImage(bytes, path, kind.mediaType)
      const rich = await richText({ path, kind: kind.kind, bytes }, context.signal)
      if ('trouble' in rich) return complaint(rich.trouble)
      return page(await readWindow(sourceOf(rich.text), limitsOf(wish), context.signal), path)
    } finally {
      await opened.close()
    }
  },
})

interface Request {
  readonly path: string
  readonly wish: z.infer<typeof input>
}

async function shownLines(opened: OpenFile, { path, wish }: Request, context: ToolContext): Promise<ToolOutput> {
  const window = await readWindow(opened, limitsOf(wish), context.signal)
  if (window.binary) {
    // A file that cannot be changed as text may still be replaced.
    if (opened.size <= wholeBytes) rememberFile(context, { real: opened.real, hash: contentHash(await opened.bytes()) })
    return answer(`[binary file, ${opened.size.toLocaleString('en-US')} bytes: ${path}]`)
  }
  if (window.hash !== null) {
    rememberFile(context, { real: opened.real, hash: window.hash, bytes: window.bytes })
    const { real } = opened
    return { ...page(window, path), stamp: stampOf(real, window.hash), file: seen(real, window.hash) }
  }
  return page(window, path)
}

function seen(path: string, sha256: string): TouchedFile {
  return { path, sha256, wrote: false }
}

/** The same file with the same content. */
function stampOf(real: string, hash: string): string {
  return `${hash} ${real}`
}

async function shownImage(bytes: Uint8Array, path: string, media_type: string): Promise<ToolOutput> {
  const told = `${media_type}, ${bytes.length.toLocaleString('en-US')} bytes`
  const image = { type: 'image' as const, media_type, data: Buffer.from(bytes).toString('base64') }
  if (bytes.length <= imageBytes) return { content: [{ type: 'text', text: `[${told}: ${path}]` }, image] }
  const smaller = await smallerImage(image, { pixels: smallerPixels, bytes: imageBytes })
  if (smaller === null) return answer(`[${told}, too large to be shown: ${path}]`)
  return { content: [{ type: 'text', text: `[${told}, shown smaller: ${path}]` }, smaller] }
}

function limitsOf({ offset = 1, limit = defaultLimit }: Request['wish']) {
  return { ...bounds, offset, limit }
}

function page(window: FileWindow, path: string): ToolOutput {
  if (window.total === 0) return answer(`[empty file: ${path}]`)
  if (window.lines.length > 0) return answer(numbered(window))
  return complaint(`offset ${window.first} is past the end: ${path} has ${window.total} lines.`)
}

function numbered(window: FileWindow): string {
  const shown = window.lines.map((line, index) => `${String(window.first + index).padStart(6)}\t${line}`)
  const last = window.first + window.lines.length - 1
  if (window.total !== null && last >= window.total) {
    return window.first === 1 ? shown.join('\n') : [...shown, `[lines ${window.first}-${last}, end of file]`].join('\n')
  }
  const total = window.total === null ? 'very many' : window.total.toLocaleString('en-US')
  return [...shown, `[lines ${window.first}-${last} of ${total}; go on with offset=${last + 1}]`].join('\n')
}
