import { extname } from 'node:path'

/** How a file is shown: as an image, as the text of a PDF or a notebook, or as what it is. */
export type FileKind =
  | { readonly kind: 'image'; readonly mediaType: string }
  | { readonly kind: 'pdf' | 'notebook' | 'plain' }

/** Bytes of the beginning that tell. */
export const tellingBytes = 16

/**
 * The kind of a file, told by its first bytes and not by its name; only a notebook, which is JSON, is told by its
 * name.
 *
 * @example fileKind('a.dat', Buffer.from('%PDF-1.7')) // { kind: 'pdf' }
 */
export function fileKind(path: string, start: Uint8Array): FileKind {
  const head = Buffer.from(start).toString('latin1')
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return image('png')
  if (head.startsWith('\xff\xd8\xff')) return image('jpeg')
  if (/^GIF8[79]a/.test(head)) return image('gif')
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return image('webp')
  if (head.startsWith('%PDF-')) return { kind: 'pdf' }
  return { kind: extname(path).toLowerCase() === '.ipynb' ? 'notebook' : 'plain' }
}

function image(name: string): FileKind {
  return { kind: 'image', mediaType: `image/${name}` }
}
