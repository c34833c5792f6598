import type { ByteSource } from './read-window.ts'
import { notebookText } from './notebook-text.ts'
import { pdfText } from './pdf-text.ts'

/** A file whose text is not its bytes. */
export interface RichFile {
  readonly path: string
  readonly kind: 'pdf' | 'notebook'
  readonly bytes: Uint8Array
}

/** The text that a PDF or a notebook shows its reader, or in words why there is none. */
export async function richText(
  { path, kind, bytes }: RichFile,
  signal: AbortSignal,
): Promise<{ readonly text: string } | { readonly trouble: string }> {
  if (kind === 'notebook') {
    const json = new TextDecoder().decode(bytes)
    return { text: notebookText(json) ?? json }
  }
  const pdf = await pdfText(bytes, signal)
  if ('trouble' in pdf)
    return { trouble: `[PDF, ${bytes.length.toLocaleString('en-US')} bytes: ${path}] ${pdf.trouble}` }
  const pages = pdf.pages.map((page, index) => `── page ${index + 1} of ${pdf.pages.length} ──\n${page}`)
  return { text: pages.join('\n') }
}

/** A text as a source of bytes: `readWindow(sourceOf('a\nb'), limits, signal)`. */
export function sourceOf(text: string): ByteSource {
  const bytes = Buffer.from(text)
  let at = 0
  return {
    async read(buffer) {
      const copied = bytes.copy(buffer, 0, at, at + buffer.length)
      at += copied
      return copied
    },
  }
}
