import type { CommandNode, Redirect } from 'unbash'
import type { BashCommand } from '../bash-command.ts'
import { byProgram, commandName, fromXargs, unwrapped } from '../bash-wrappers.ts'
import { takesWholeNames } from '../found-runs.ts'
import { listedPlaces, type ListedPlaces } from '../listed-places.ts'

/** Programs that hand on some lines of a list as they are, with the options under which they do. */
const filters = byProgram<RegExp>({
  sort: /^(-[rnuVhfbgMdi]+|-[kt].*|--(reverse|numeric-sort|unique|version-sort|human-numeric-sort|ignore-case))$/,
  uniq: /^-[udi]+$/,
  head: /^-(n.*|q|\d+)$/,
  tail: /^-(n.*|q|\d+)$/,
  grep: /^(-[viEFGPwxsah]*(e.*|m\d*)?|--(invert-match|ignore-case|extended-regexp|fixed-strings|perl-regexp|word-regexp))$/,
})
/** The word behind one of these is its value. */
const valued = byProgram<RegExp>({
  sort: /^-[a-zA-Z]*[kt]$/,
  head: /^-n$/,
  tail: /^-n$/,
  grep: /^-[viEFGPwxsah]*[em]$/,
})

/** A list that is sorted or cut is still one of the same files; one with more operands comes from another file. */
function passesOn({ words }: BashCommand): boolean {
  const name = commandName(words)
  const options = filters.get(name)
  if (options === undefined || words.some(({ value }) => value === null)) return false
  const values = words.slice(1).map(({ value }) => value ?? '')
  const own = values.filter((_value, at) => valued.get(name)?.test(values[at - 1] ?? '') !== true)
  const operands = own.filter((value) => !value.startsWith('-'))
  const most = name === 'grep' && !values.some((value) => /^-[a-zA-Z]*e/.test(value)) ? 1 : 0
  return operands.length <= most && own.every((value) => !value.startsWith('-') || options.test(value))
}

/** Says where the files lie whose names come out of the commands of a pipeline, so far; null where other texts may. */
export function listedBy(
  node: CommandNode,
  commands: readonly BashCommand[],
  before: ListedPlaces | null,
): ListedPlaces | null {
  const [only, ...others] = commands.filter(({ perhaps }) => perhaps !== true)
  if (!saysNoErrors(node) || only === undefined || others.length > 0 || only.assignments.length > 0) return null
  return listedPlaces(unwrapped(only.words)) ?? (passesOn(only) ? before : null)
}

/** Errors would stand among the names, and another input would bring others. */
function saysNoErrors(node: CommandNode): boolean {
  return node.type === 'Command' && node.redirects.every((each) => each.type === 'Redirect' && isDropped(each))
}

function isDropped({ operator, target }: Redirect): boolean {
  return operator === '>' && target?.text === '/dev/null'
}

/** `xargs wc`: the command gets the names of the list in front of it as they are, and nothing else. */
export function getsList(node: CommandNode, { words }: BashCommand): boolean {
  if (node.type !== 'Command' || !takesWholeNames(fromXargs(words))) return false
  return node.redirects.every(
    ({ operator, descriptor }) =>
      !operator.startsWith('<') && (descriptor?.type !== 'FileDescriptor' || descriptor.value > 0),
  )
}
