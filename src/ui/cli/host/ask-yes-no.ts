import { createInterface } from 'node:readline'
import type { Host } from './host.ts'

/**
 * Asks a person at the terminal. Only a clear yes is one; the end of the input is a no.
 *
 * @example if (await askYesNo('Trust it? [y/N] ', host)) …
 */
export async function askYesNo(question: string, host: Host): Promise<boolean> {
  const lines = createInterface({ input: host.stdin, terminal: false })
  host.stderr.write(question)
  try {
    const answer = await new Promise<string>((resolve) => {
      lines.once('line', resolve)
      lines.once('close', () => resolve(''))
    })
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}
