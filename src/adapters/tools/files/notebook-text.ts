import { z } from 'zod'
import { parseJson } from '../../fs/parse-json.ts'

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
export function notebookText(json: string): string | null {
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
