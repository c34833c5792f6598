import type { Assignment, Command, Redirection, Word } from 'unbash'
import type { BashCommand, BashRedirect } from '../bash-command.ts'
import { isLiteral, withValue, type BashWord } from '../bash-word.ts'
import { starts } from '../bash-wrappers.ts'
import { expandText, expandValue, expandWord, plainWord, workOutText } from './expand-word.ts'
import { assigned, checkVariable, isSum, unsureNumber, type Expansion } from './expansion.ts'
import {
  isFixed,
  isTexts,
  joined,
  listOf,
  mostValues,
  setting,
  valueOf,
  withList,
  type ShellState,
  type ShellTexts,
} from './shell-values.ts'
import type { Outcomes } from './word-texts.ts'

/** A simple command, once for each way in which its words may come out. */
export function simpleCommand(node: Command, into: Expansion): readonly BashCommand[] {
  const { name, prefix, args } = node
  const { directories } = into.state
  const parts = name === undefined ? args : [name, ...args]
  const settings = prefix.filter((part) => part.type === 'Assignment')
  const plain = plainWords(parts)
  const ways = plain === undefined ? combined(parts.map((part) => expandPart(part, into))) : [plain]
  checkApart(parts, into)
  const stays = settings.length === 0 ? 'never' : staying(ways)
  const assignments = settings.length === 0 ? none : settings.flatMap((each) => assign(each, into, stays))
  const { redirects, fed } = node.redirects.length === 0 ? unredirected : bashRedirects(node.redirects, into)
  const text = textOf(settings.length === 0 ? parts : [...settings, ...parts])
  const given = fed.length > 0 ? fed : undefined
  return ways.map((words) => ({
    text,
    words: withSmallNames(words),
    assignments,
    redirects,
    directories,
    fed: given,
  }))
}

/** A program by its name or its whole path: a word behind a wrapper may be anything else. */
const nameInCapitals = /^(?=.*[A-Z])(\.{0,2}\/([\w.-]+\/)*)?[A-Za-z][\w+.-]*$/

/** `RM -rf x`, `sudo /bin/RM x`: systems that do not mind the size of letters find the program under its small name. */
function withSmallNames(words: readonly BashWord[]): readonly BashWord[] {
  const names = starts(words).filter((at) => nameInCapitals.test(words[at]?.value ?? ''))
  if (names.length === 0) return words
  return words.map((word, at) => (names.includes(at) ? { ...word, shorter: [word.value?.toLowerCase() ?? ''] } : word))
}

const none: readonly string[] = []
const unredirected: ReturnType<typeof bashRedirects> = { redirects: [], fed: [] }

function expandPart(part: Word | Assignment, into: Expansion): Outcomes {
  return part.type === 'Assignment' ? [[assignedWord(part, into)]] : expandWord(part, into)
}

/** The words of a command where all are plain texts: there is one way in which these come out. */
function plainWords(parts: readonly (Word | Assignment)[]): readonly BashWord[] | undefined {
  const words: BashWord[] = []
  for (const { type, text } of parts) {
    if (type === 'Assignment' || !isLiteral(text)) return undefined
    words.push(plainWord(text))
  }
  return words
}

function textOf(parts: readonly { readonly text: string }[]): string {
  const texts = parts.map(({ text }) => text)
  return (texts.includes('') ? texts.filter((each) => each !== '') : texts).join(' ')
}

/** `a<(x)b`: one word to bash, several to the grammar. */
export function checkApart(words: readonly Pick<Word, 'pos' | 'end'>[], { hazards }: Expansion): void {
  let end: number | undefined
  for (const word of words) {
    if (word.pos === end) {
      hazards.push('words stand in one another')
      return
    }
    end = word.end
  }
}

/** Whether assignments stay in the shell: they do where no word of a command is left behind them. */
function staying(ways: readonly (readonly BashWord[])[]): 'always' | 'perhaps' | 'never' {
  if (ways.every((words) => words.length === 0)) return 'always'
  return ways.some((words) => words.every(({ vanishes }) => vanishes === true)) ? 'perhaps' : 'never'
}

/** Too many ways are one in which nothing is known. */
function combined(outcomes: readonly (readonly (readonly BashWord[])[])[]): readonly (readonly BashWord[])[] {
  const count = outcomes.reduce((product, ways) => Math.min(product * ways.length, mostValues + 1), 1)
  if (count > mostValues) return [outcomes.flatMap((ways) => (ways.length === 1 ? (ways[0] ?? []) : unsure(ways)))]
  let made: BashWord[][] = [[]]
  for (const ways of outcomes) {
    const [only] = ways
    if (ways.length === 1 && only !== undefined && made.length === 1) made[0]?.push(...only)
    else made = made.flatMap((words) => ways.map((way) => [...words, ...way]))
  }
  return made
}

function unsure(ways: readonly (readonly BashWord[])[]): readonly BashWord[] {
  const text = ways.flat()[0]?.text ?? ''
  const vanishes = ways.some((way) => way.length === 0)
  return [{ text, value: null, glob: false, ...(vanishes && { vanishes }) }]
}

function assignedWord(node: Assignment, into: Expansion): BashWord {
  const values = valueIn(node, into)
  elementsIn(node, into)
  const [only, ...others] = isTexts(values) ? values : []
  const value = only === undefined || others.length > 0 || /[*?[]/.test(only.text) ? null : `${node.name}=${only.text}`
  return { text: node.text, value, glob: false, ...(values === 'number' || values === 'env' ? { from: values } : {}) }
}

function valueIn({ name, index, value, append }: Assignment, into: Expansion): ShellTexts {
  if (index !== undefined) {
    workOutText(index, into)
    // Bash gives up the line where the list has no such place.
    if (!/^\d+$/.test(index.text)) into.left.push(into.state)
  }
  if (value.type === 'Word') {
    const values = expandValue(value, into)
    if (index !== undefined) return null
    return append === true ? appended(valueOf(name, into.state), values) : values
  }
  return null
}

/** The words of the array that an assignment makes; undefined where nobody knows them. */
export function elementsIn(
  { name, index, value, append }: Assignment,
  into: Expansion,
): readonly BashWord[] | undefined {
  if (value.type === 'Word') return undefined
  const words: BashWord[] = []
  let known = index === undefined
  checkApart(value.elements, into)
  for (const element of value.elements) {
    const outcomes = expandWord(element, into)
    checkSubscript(outcomes, into)
    const [only = [], ...others] = outcomes
    words.push(...only)
    known &&= others.length === 0 && !element.text.startsWith('[')
  }
  const before = append === true ? listOf(name, into.state) : []
  return known && before !== undefined ? [...before, ...words] : undefined
}

/** The texts of a variable behind `x=a; x+=b`. */
function appended(before: ShellTexts, values: ShellTexts): ShellTexts {
  if (!isTexts(before) || !isTexts(values) || before.length * values.length > mostValues) return null
  return before.flatMap((one) =>
    values.map((other) => ({ text: `${one.text}${other.text}`, glob: one.glob || other.glob })),
  )
}

/** `a=([i+1]=x)`: the subscript is worked out as a number. */
function checkSubscript(outcomes: readonly (readonly BashWord[])[], into: Expansion): void {
  for (const { text, value, glob } of outcomes.flat()) {
    if (!text.startsWith('[')) continue
    const [, subscript] = /^\[(.*?)\]\+?=/s.exec(glob ? text : (value ?? text)) ?? []
    if (subscript !== undefined && !isSum(subscript, into.state)) into.hazards.push(unsureNumber)
  }
}

/** @returns The assignment with the values that it may have, as written where nobody knows them. */
function assign(node: Assignment, into: Expansion, stays: ReturnType<typeof staying>): readonly string[] {
  const values = valueIn(node, into)
  const elements = elementsIn(node, into)
  const set = withList(assigned(node.name, values, into), node.name, elements)
  if (isFixed(node.name, into.state)) into.left.push(into.state)
  if (stays === 'always') into.state = set
  else if (stays === 'perhaps') into.state = joined(into.state, set)
  return isTexts(values) ? values.map(({ text }) => `${node.name}=${text}`) : [node.text]
}

/** The state in which an argument such as `A=1` of `export` is assigned, as one that nobody knows where it `alters`. */
export function assignedArgument(node: Assignment, into: Expansion, alters: boolean): ShellState {
  const probe: Expansion = { ...into, hazards: [], sets: [], scripts: [], left: [] }
  const values = valueIn(node, probe)
  const elements = elementsIn(node, probe)
  return alters ? assigned(node.name, null, into) : withList(assigned(node.name, values, into), node.name, elements)
}

/** Writing to these changes no file. */
const harmless = /^\/dev\/(null|tty)$/
/** These change none either, unless the line has opened a file there. Any other descriptor may be a file that was opened to be read. */
const outputs = /^\/dev\/(stdout|stderr|fd\/[12])$/
const descriptors = /^\/dev\/(stdin|stdout|stderr|fd\/\d+)$/

/** The files behind redirects, and the texts that here-documents feed. */
export function bashRedirects(
  redirections: readonly Redirection[],
  into: Expansion,
): { readonly redirects: readonly BashRedirect[]; readonly fed: readonly string[] } {
  const redirects: BashRedirect[] = []
  const fed: string[] = []
  for (const each of redirections) {
    if (each.descriptor?.type === 'FileDescriptorVariable') {
      const { name } = each.descriptor
      checkVariable({ text: name, value: name, glob: false }, into)
      const [variable = name] = name.split('[')
      into.sets.push(variable)
      into.state = joined(into.state, setting(into.state, variable, variable === name ? 'number' : null))
    }
    if (each.type === 'HereDoc')
      fed.push(each.body.parts === undefined ? each.body.text : (expandText(each.body.parts, into) ?? each.body.text))
    else if (each.type === 'Redirect') redirects.push(...opened(each, into))
    else if (each.target !== undefined)
      fed.push(...expandWord(each.target, into).map((way) => way.map(({ value, text }) => value ?? text).join(' ')))
  }
  return { redirects, fed }
}

function opensNothing(
  path: string,
  { access, opened }: { readonly access: 'read' | 'edit'; readonly opened: true | undefined },
): boolean {
  if (harmless.test(path)) return true
  return access === 'read' ? descriptors.test(path) : outputs.test(path) && opened !== true
}

/** The file behind a redirect, if there is one: not for descriptor copies, `<(…)` (whose commands are judged themselves) and `/dev/null`. */
function opened(redirect: Extract<Redirection, { type: 'Redirect' }>, into: Expansion): readonly BashRedirect[] {
  const { target, operator } = redirect
  if (target === undefined) return []
  const [part, ...more] = target.parts ?? []
  const words = expandWord(target, into)
  if (part?.type === 'ProcessSubstitution' && more.length === 0) return []
  return words.flatMap((way) => {
    const [first, ...others] = way
    if (first === undefined) return []
    const access = operator === '<' || operator === '<&' ? 'read' : 'edit'
    // A glob as a target names a file that cannot be known beforehand; what is read is one of those that match.
    const word = (first.glob && access === 'edit') || others.length > 0 ? withValue(first, null) : first
    const duplicates = operator === '>&' || operator === '<&'
    if (duplicates && word.value !== null && /^(\d+-?|-)$/.test(word.value)) return []
    if (word.value !== null && opensNothing(word.value, { access, opened: into.state.opened })) return []
    if (access === 'edit' && descriptors.test(word.value ?? ''))
      return [{ access, word: { ...word, value: null } } as const]
    return operator === '<>'
      ? [{ access, word } as const, { access: 'read', word } as const]
      : [{ access, word } as const]
  })
}
