import { readFileSync } from 'node:fs'

/**
 * The content of `<name>.md` beside this file. The build puts a table of all these texts in the place of this module,
 * so that the package reads no file for each tool.
 *
 * @throws When the file is missing: the package is broken.
 */
export function promptFile(name: string): string {
  return readFileSync(new URL(`./${name}.md`, import.meta.url), 'utf8')
}
