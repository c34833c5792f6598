import type { BashCommand } from './bash-command.ts'

/** With more such words than this a command has too many forms to look at. */
const mostVanishing = 4

/** Some words of the command may come to nothing. */
export function mayShorten({ words }: BashCommand): boolean {
  return words.some(({ vanishes }) => vanishes === true)
}

/**
 * The forms of a command in which words that may come to nothing are gone: `git $A push` is `git push` where A is empty.
 *
 * @returns null where such words are too many.
 */
export function shortened(command: BashCommand): readonly BashCommand[] | null {
  const { words } = command
  const spots = words.flatMap(({ vanishes }, at) => (vanishes === true ? [at] : []))
  if (spots.length > mostVanishing) return null
  const forms: BashCommand[] = []
  for (let chosen = 1; chosen < 2 ** spots.length; chosen += 1) {
    const gone = new Set(spots.filter((_, i) => Math.floor(chosen / 2 ** i) % 2 === 1))
    const kept = words.filter((_, at) => !gone.has(at))
    forms.push({ ...command, words: kept, text: [...command.assignments, ...kept.map(({ text }) => text)].join(' ') })
  }
  return forms
}

/**
 * The command, and what is left of it where globs come to nothing: another word may be its target then.
 *
 * @example `cp a.txt src/app.ts *.x` may be `cp a.txt src/app.ts`
 */
export function withoutGlobs(command: BashCommand): readonly BashCommand[] {
  if (!command.words.some(({ glob, vanishes }) => glob && vanishes === true)) return [command]
  return [command, ...(shortened(command) ?? [{ ...command, words: command.words.filter(({ glob }) => !glob) }])]
}
