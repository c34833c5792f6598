import { createInterface } from 'node:readline'
import type { Host } from './host.ts'

/** Asks a person at the terminal for a line; the end of the input is an empty one. */
export async function askLine(question: string, { stdin, stderr }: Pick<Host, 'stdin' | 'stderr'>): Promise<string> {
  const lines = createInterface({ input: stdin, terminal: false })
  stderr.write(question)
  try {
    return await new Promise<string>((resolve) => {
      lines.once('line', resolve)
      lines.once('close', () => resolve(''))
    })
  } finally {
    lines.close()
  }
}
