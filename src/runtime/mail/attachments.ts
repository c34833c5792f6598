import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { basename, isAbsolute } from 'node:path'
import { imageSize } from '../../adapters/fs/image-size.ts'
import { smallerImage } from '../../adapters/fs/smaller-image.ts'
import { fileKind } from '../../adapters/tools/files/file-kind.ts'
import { richText } from '../../adapters/tools/files/rich-text.ts'
import type { Attachment } from '../../protocol/conversation/message.ts'
import { UsageError } from '../../protocol/words/usage-error.ts'

/** Limits that all vendors keep to. */
const most = {
  files: 20,
  imageBytes: 3_750_000,
  pixels: 8_000,
  shrunkPixels: 2_000,
  pdfBytes: 10_000_000,
  pages: 100,
} as const

/** A file that no model can be shown. */
export class NotAttachable extends UsageError {
  override readonly name = 'NotAttachable'
}

/**
 * Reads images and PDFs that go with a prompt. A model that reads no PDF gets the text in it; an image that no vendor takes
 * as it is becomes smaller.
 *
 * @throws NotAttachable naming the file, what is wrong with it and the remedy
 * @example runTeam(team, { task: 'Mend what it shows.', attachments: await readAttachments(['screen.png']) })
 */
export async function readAttachments(paths: readonly string[]): Promise<readonly Attachment[]> {
  if (paths.length > most.files) {
    throw new NotAttachable(`${paths.length} files are attached, at most ${most.files} can be: attach fewer`)
  }
  const read: Attachment[] = []
  // One after the other: an image that is made smaller takes hundreds of megabytes meanwhile.
  for (const path of paths) read.push(await readAttachment(path))
  return read
}

const nameInText = /(?:^|\s)('[^']+'|"[^"]+"|(?:\\.|[^\s'"\\])+)/g

/**
 * Images and PDFs whose whole path stands in a text, as terminals paste files that are dropped on them.
 *
 * @example await attachmentsNamedIn("What is wrong here? '/tmp/a screen.png'")
 */
export async function attachmentsNamedIn(text: string): Promise<readonly Attachment[]> {
  const names = [...text.matchAll(nameInText)].map(([, name = '']) =>
    /^['"]/.test(name) ? name.slice(1, -1) : name.replaceAll(/\\(.)/g, '$1'),
  )
  const paths = names.filter(
    (name) => isAbsolute(name) && /\.(png|jpe?g|gif|webp|pdf)$/i.test(name) && existsSync(name),
  )
  return readAttachments([...new Set(paths)])
}

/** Why no vendor takes an image as it is; null where all do. */
function largeness(bytes: Buffer): string | null {
  if (bytes.length > most.imageBytes) return `${bytes.length} bytes, more than ${most.imageBytes}`
  const { width, height } = imageSize(bytes) ?? { width: 0, height: 0 }
  return Math.max(width, height) > most.pixels ? `${width} × ${height} pixels, more than ${most.pixels}` : null
}

async function readAttachment(path: string): Promise<Attachment> {
  const refuse = (why: string): NotAttachable => new NotAttachable(`${path} cannot be attached: ${why}`)
  const found = await stat(path).catch(() => null)
  if (!found?.isFile()) throw refuse('there is no such file')
  if (found.size > most.pdfBytes)
    throw refuse(`it has ${found.size} bytes, more than ${most.pdfBytes}: make it smaller`)
  const bytes = await readFile(path)
  const kind = fileKind(path, bytes.subarray(0, 16))
  const data = bytes.toString('base64')
  if (kind.kind === 'image') {
    const image = { type: 'image' as const, media_type: kind.mediaType, data }
    const trouble = largeness(bytes)
    if (trouble === null) return image
    const smaller = await smallerImage(image, { pixels: most.shrunkPixels, bytes: most.imageBytes })
    if (smaller === null) throw refuse(`the image has ${trouble}: make it smaller`)
    return smaller
  }
  if (kind.kind !== 'pdf') throw refuse('it is neither an image (PNG, JPEG, GIF, WebP) nor a PDF: name it in the text')
  const read = await richText({ path, kind: 'pdf', bytes }, AbortSignal.timeout(60_000))
  if ('trouble' in read) throw refuse(read.trouble)
  const pages = read.text.match(/^── page \d+ of \d+ ──$/gm)?.length ?? 0
  if (pages > most.pages) throw refuse(`it has ${pages} pages, more than ${most.pages}: attach a part of it`)
  return { type: 'document', media_type: 'application/pdf', name: basename(path), data, text: read.text }
}
