import { widthOf } from '../../text/terminal-text.ts'
import type { Output } from '../host/host.ts'
import type { Progress } from './progress.ts'

/** Lines of a dialog that stays where it is printed. */
interface PlainDialog extends Pick<Progress, 'foot' | 'print'> {}

/**
 * Owns a dialog on a terminal that nothing is repainted on: what is asked is printed once, and the line that is typed
 * grows at the end of the output. The cursor never leaves that line; another text begins below, and the line is there again
 * behind it.
 *
 * @example const { foot, print } = plainDialog(host.stderr)
 */
export function plainDialog(terminal: Pick<Output, 'write'>): PlainDialog {
  let head = ''
  let typed = ''
  /** The last line as it was typed, until the next text: a text that is the same repeats what is there. */
  let entered: string | null = null
  const type = (line: string): void => {
    if (line.startsWith(typed)) terminal.write(line.slice(typed.length))
    else if (typed.startsWith(line)) terminal.write('\b \b'.repeat(widthOf(typed.slice(line.length))))
    else terminal.write(`${typed === '' ? '' : '\n'}${line}`)
    typed = line
  }
  return {
    foot(lines) {
      const [said = '', prompt = ''] = lines ?? []
      if (lines === null || said !== head) {
        if (typed !== '') terminal.write('\n')
        if (said !== '') terminal.write(`${said}\n`)
        if (lines === null) entered = typed
        typed = ''
        head = said
      }
      type(prompt.replace(/▏$/, ''))
    },
    print(text) {
      const repeats = text === entered
      entered = null
      if (repeats) return
      terminal.write(`${typed === '' ? '' : '\n'}${text}\n${typed}`)
    },
  }
}
