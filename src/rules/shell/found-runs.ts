import type { BashCommand } from './bash-command.ts'
import type { BashWord } from './bash-word.ts'
import { commandName, unwrapped } from './bash-wrappers.ts'

const runs = /^-(exec|execdir)$/

/**
 * The commands that `find` starts for what it finds, which need permission of their own. The names it puts in are unknown.
 *
 * @example foundRuns(`find . -exec wc -l {} +`) // `wc -l {}`
 */
export function foundRuns(command: BashCommand): readonly BashCommand[] {
  const words = unwrapped(command.words)
  if (!/^find$/.test(commandName(words))) return []
  const found: BashCommand[] = []
  for (const [at, { value }] of words.entries()) {
    if (!runs.test(value ?? '')) continue
    const rest = words.slice(at + 1)
    const end = rest.findIndex((word, i) => word.value === ';' || (word.value === '+' && rest[i - 1]?.value === '{}'))
    const run = (end === -1 ? rest : rest.slice(0, end)).map(filled)
    if (run.length > 0) found.push(asCommand(run, command))
  }
  return found
}

function filled(word: BashWord): BashWord {
  return word.value?.includes('{}') === true ? { ...word, value: null } : word
}

function asCommand(words: readonly BashWord[], { directories }: BashCommand): BashCommand {
  const text = words.map((word) => word.text).join(' ')
  return { text, words, assignments: [], redirects: [], directories, found: true }
}
