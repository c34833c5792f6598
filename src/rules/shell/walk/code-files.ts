import type { BashCommand } from '../bash-command.ts'
import type { BashWord } from '../bash-word.ts'
import { commandName, unwrapped } from '../bash-wrappers.ts'
import { carries } from '../fed-paths.ts'
import { takesData } from '../runnable-texts.ts'

/** The program may take a text as code, or as a list of files: it is not known to only show, count or store it. */
function takesCode(words: readonly BashWord[]): boolean {
  const name = commandName(words)
  if (name === '' || carries(name) || /^(find|fd|fdfind)$/.test(name)) return false
  return /^(ninja|g?make|tar)$/.test(name) || !takesData(words)
}

/**
 * Hands what the line says to the programs behind it, where the line writes files: they may be told to read these, or read
 * files of such names anyway.
 *
 * @example `echo '.sy rm x' > a.1; groff -U a.1`: the groff has `.sy rm x` as written
 */
export function withWritten(commands: readonly BashCommand[]): readonly BashCommand[] {
  const said: string[] = []
  let writes = false
  return commands.map((command) => {
    const words = unwrapped(command.words)
    const name = commandName(words)
    const read = writes && said.length > 0 && takesCode(words) ? { ...command, written: [...said] } : command
    if (name === 'echo' || name === 'printf')
      said.push(
        words
          .slice(1)
          .map(({ value, text }) => value ?? text)
          .join(' '),
      )
    if (command.fed !== undefined) said.push(...command.fed)
    writes ||= name === 'tee' || command.redirects.some(({ access }) => access === 'edit')
    return read
  })
}

/** Programs for which `@x` is the content of a message. */
const senders = /^(curl|wget|gh|glab|aws|az|http|https|xh|npm|npx|pnpm|yarn|bun|git)$/

/**
 * The files on a command's line that hold further words of it, as written: `@x`, `--files-from=x`.
 *
 * @example listFiles(`strings @list.txt`) // ['list.txt']
 */
export function listFiles(written: readonly BashWord[]): readonly string[] {
  const words = unwrapped(written)
  if (senders.test(commandName(words))) return []
  return words.flatMap(({ value }, at) => {
    if (value?.startsWith('@') !== true && value?.startsWith('--') !== true) return []
    const [, list] = /^(?:@|--[a-z0-9-]*(?:files?[a-z0-9]*-from|file-?list|list-?file)=)(.+)$/.exec(value) ?? []
    return at === 0 || list === undefined ? [] : [list]
  })
}

/** More files than these of one command are not looked into. */
const mostFiles = 4

/** The files on a command's line that its program may take as code, as written. */
export function codeFiles(written: readonly BashWord[]): readonly string[] {
  const words = unwrapped(written)
  const name = commandName(words)
  if (name === 'tar' || !takesCode(words)) return []
  const values = words.slice(1).map(({ value }) => value?.replace(/^--[\w-]+=/, '') ?? '')
  const named = values.filter((value) => !/^$|^-|[\s=@]/.test(value))
  const implied = impliedFiles(name, { named, values })
  return [...new Set(implied.length === 0 ? named : [...implied, ...named])].slice(0, mostFiles)
}

interface Told {
  readonly named: readonly string[]
  readonly values: readonly string[]
}

function impliedFiles(name: string, { named, values }: Told): readonly string[] {
  const recipes = /^g?make$/.test(name) ? ['Makefile', 'makefile', 'GNUmakefile'] : ['build.ninja']
  if (/^(g?make|ninja)$/.test(name)) {
    const place = values[values.indexOf('-C') + 1]
    return values.includes('-C') ? recipes.map((recipe) => `${place}/${recipe}`) : recipes
  }
  if (/^(node|bun)$/.test(name)) return named.flatMap((path) => [`${path}/index.js`, `${path}.js`])
  return /^python[\d.]*$/.test(name) ? named.map((path) => `${path}.py`) : []
}
