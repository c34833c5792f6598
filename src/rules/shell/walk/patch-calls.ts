import { withValue, type BashWord } from '../bash-word.ts'
import { placesTold } from '../bash-places.ts'
import { commandName, programOf, starts, unwrapped } from '../bash-wrappers.ts'
import { mayPatch } from '../file-editors.ts'
import { verbAt } from '../reach.ts'

/** A command that changes the files which a patch names. */
export interface PatchCall {
  /** The words that name files with patches; none where the patch comes in. */
  readonly files: readonly BashWord[]
  /** How many directories are taken from the front of each name; several where the program chooses. */
  readonly strips: readonly number[]
  /** Where the names may start, as it is written: here, where options lead, or what they put in front of each name. */
  readonly places: readonly string[]
  /** All of the command stands on the line. */
  readonly isSure: boolean
}

/**
 * The patches that a command applies, also behind wrappers.
 *
 * @example patchCalls(`timeout 5 git apply -p0 x.patch`) // [{ files: ['x.patch'], strips: [0], places: ['.'], isSure: true }]
 */
export function patchCalls(written: readonly BashWord[]): readonly PatchCall[] {
  const words = unwrapped(written)
  // Most commands name no such program.
  const places = starts(words).filter((at) => patchers.has(programOf(words[at])))
  if (places.length === 0) return none
  return places
    .map((at) => words.slice(at))
    .filter(appliesPatch)
    .map(patchCall)
}

const patchers = new Set(['git', 'patch'])
const none: readonly PatchCall[] = []

function appliesPatch(words: readonly BashWord[]): boolean {
  return mayPatch(words) && (commandName(words) === 'patch' || /^(apply|am)$/.test(words[verbAt(words)]?.value ?? ''))
}

/** The options that take the next word as their value, and those that say how much of a name is taken away, and what it starts from. */
const git = {
  valued: /^(-[pCS]|--(directory|exclude|include|whitespace|patch-format|resolvemsg))$/,
  strip: /^-p(\d*)$/,
  input: /^(?!)()/,
  place: /^(?!)()/,
  strips: [0, 1],
} as const
const patch = {
  valued: /^(-[A-Za-z]*[BDFYdgioprVz]|--(input|directory|strip|output|reject-file|fuzz|prefix|suffix|ifdef|get))$/,
  strip: /^(?:-[A-Za-z]*p|--st[a-z]*=?)(\d*)$/,
  input: /^(?:-[A-Za-z0-9]*i|--inp[a-z]*=?)(.*)$/s,
  place: /^(?:-[A-Za-z0-9]*d|--di[a-z]*=?)(.*)$/s,
  strips: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
} as const

function patchCall(words: readonly BashWord[]): PatchCall {
  const isGit = commandName(words) === 'git'
  const options = isGit ? git : patch
  const rest = words.slice(isGit ? verbAt(words) + 1 : 1)
  const text = (at: number): string => rest[at]?.value ?? ''
  const told = (option: RegExp): readonly BashWord[] =>
    rest.flatMap((word, at) => {
      const [found, glued = ''] = option.exec(text(at)) ?? []
      if (found === undefined) return []
      return glued === '' ? (rest[at + 1] ?? []) : [{ ...withValue(word, glued), text: glued }]
    })
  const operands = rest.filter((_, at) => !/^(-.*)?$/s.test(text(at)) && !options.valued.test(text(at - 1)))
  const [strip] = told(options.strip)
  const known = /^\d+$/.test(strip?.value ?? '') ? [Number(strip?.value)] : options.strips
  return {
    files: isGit ? operands : [...told(options.input), ...operands.slice(1, 2)],
    strips: known,
    places: [...placesTold(words), ...told(options.place).flatMap(({ value }) => value ?? [])],
    isSure: words.every(
      ({ value }) => value !== null && !/^(-c|--(git-dir|work-tree|exec-path|config-env).*)$/.test(value),
    ),
  }
}
