import { Worker } from 'node:worker_threads'
import { errorText } from '../../../protocol/words/error-text.ts'

/** The text of a PDF page by page, or why it cannot be had. */
export type PdfText = { readonly pages: readonly string[] } | { readonly trouble: string }

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
export async function pdfText(bytes: Uint8Array, signal: AbortSignal): Promise<PdfText> {
  const library = installed()
  if (library === null) return { trouble: 'its text cannot be read: the package unpdf is not installed' }
  const worker = new Worker(reader, { eval: true, workerData: { bytes, library }, env: {}, resourceLimits: memory })
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
