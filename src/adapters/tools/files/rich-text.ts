import type { ByteSource } from './read-window.ts'
import { z } from 'zod'
import { parseJson } from '../../fs/parse-json.ts'
import { Worker } from 'node:worker_threads'
import { errorText } from '../../../protocol/words/error-text.ts'

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

const lines = z
  .union([z.string(), z.array(z.string())])
  .transform((text) => (Array.isArray(text) ? text.join('') : text))

const output = z.object({
  output_type: z.string(),
  text: lines.optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  ename: z.string().optional(),
  evalue: z.string().optional(),
})

const cell = z.object({
  cell_type: z.string(),
  source: lines,
  outputs: z.array(output).optional(),
})

const notebook = z.object({ cells: z.array(cell) })

type Output = z.infer<typeof output>

/**
 * A Jupyter notebook as text: every cell with its number and kind, its source, and what it printed.
 *
 * @returns null when the text is no notebook.
 * @example notebookText('{"cells":[{"cell_type":"code","source":"1+1","outputs":[]}]}') // '── cell 1, code ──\n1+1'
 */
function notebookText(json: string): string | null {
  const parsed = notebook.safeParse(parseJson(json))
  if (!parsed.success) return null
  return parsed.data.cells
    .map(({ cell_type, source, outputs = [] }, index) => {
      const printed = outputs.map(outputText).filter((text) => text !== '')
      const shown = printed.length === 0 ? [] : [`── output of cell ${index + 1} ──`, ...printed]
      return [`── cell ${index + 1}, ${cell_type} ──`, source.replace(/\n$/, ''), ...shown].join('\n')
    })
    .join('\n')
}

function outputText({ output_type, text, data, ename, evalue }: Output): string {
  if (output_type === 'error') return `${ename ?? 'Error'}: ${evalue ?? ''}`
  if (text !== undefined) return text.replace(/\n$/, '')
  const plain = lines.safeParse(data?.['text/plain'])
  const images = Object.keys(data ?? {}).filter((type) => type.startsWith('image/'))
  return [...(plain.success ? [plain.data.replace(/\n$/, '')] : []), ...images.map((type) => `[${type}]`)].join('\n')
}

/** The text of a PDF page by page, or why it cannot be had. */
type PdfText = { readonly pages: readonly string[] } | { readonly trouble: string }

/** A file of hostile make may keep its reader busy for good: it is read on a thread that can be ended. */
const reader = `
const { parentPort, workerData } = require('node:worker_threads')
import(workerData.library)
  .then(({ extractText }) => extractText(new Uint8Array(workerData.bytes), { mergePages: false }))
  .then(({ text }) => parentPort.postMessage({ pages: text }))
  .catch((error) => parentPort.postMessage({ trouble: String(error && error.message || error) }))
`

const memory = { maxOldGenerationSizeMb: 512 }

/**
 * Takes the text out of a PDF with the package `unpdf`.
 *
 * @example await pdfText(bytes, signal) // { pages: ['first page', 'second page'] }
 */
async function pdfText(bytes: Uint8Array, signal: AbortSignal): Promise<PdfText> {
  const library = installed()
  if (library === null) return { trouble: 'its text cannot be read: the package unpdf is not installed' }
  // Warnings of the library would stand among what the command line prints.
  const quiet = { stdout: true, stderr: true }
  const given = { bytes, library }
  const worker = new Worker(reader, { eval: true, workerData: given, env: {}, resourceLimits: memory, ...quiet })
  const stop = (): void => void worker.terminate()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await new Promise<PdfText>((resolve) => {
      worker.once('message', resolve)
      worker.once('error', (error) => resolve({ trouble: errorText(error) }))
      worker.once('exit', () => resolve({ trouble: 'reading it was stopped' }))
    })
  } finally {
    signal.removeEventListener('abort', stop)
    await worker.terminate()
  }
}

function installed(): string | null {
  try {
    return import.meta.resolve('unpdf')
  } catch {
    return null
  }
}
