import { writeFileSync } from 'node:fs'
import { errorText } from '../../../protocol/words/error-text.ts'
import { UserError } from './user-error.ts'

/**
 * Writes the output of a command to a file that a person named.
 *
 * @param option the option that named the file
 * @throws UserError when the file cannot be written
 * @example writeOutput('/home/ann/run.html', html, { option: '--out' })
 */
export function writeOutput(
  file: string,
  text: string,
  { option, mode = 0o666 }: { readonly option: string; readonly mode?: number },
): void {
  try {
    writeFileSync(file, text, { mode })
  } catch (error) {
    throw new UserError(`${file} cannot be written (${errorText(error)}); name another file with ${option}`)
  }
}
