import { withInstead, type BashWord } from './bash-word.ts'
import { byProgram, commandName } from './bash-wrappers.ts'
import { mayFit } from '../paths/name-patterns.ts'
import { farthestOfGit, farthestOptions, noOptions, valuedOfGit, type Farthest } from './tools/farthest-options.ts'
import { farthestVerbs } from './tools/farthest-verbs.ts'
import { reachOf, verbAt, type Operand } from './reach.ts'
import { endOfOptions } from './options/given-option.ts'
import { bringsProgram } from './options/program-options.ts'

/** All words are known before the command runs: none may come to be an option. */
function isKnown(words: readonly BashWord[]): boolean {
  return words.every(({ value }) => value !== null)
}

const farthest = byProgram(farthestOptions)

function farthestOf(words: readonly BashWord[]): Farthest | undefined {
  const name = commandName(words)
  return name === 'git' ? farthestOfGit.get(words[verbAt(words)]?.value ?? '') : farthest.get(name)
}

/** A word may come to be several. */
function isSeveral({ splits, vanishes }: BashWord): boolean {
  return splits === true || vanishes === true
}

/**
 * Whether a word that only a running shell knows may come to be an option of its program. Texts of the environment, numbers
 * and names that never begin with a dash are none.
 */
function mayBe(option: string, words: readonly BashWord[], { at, valued }: { at: number; valued: RegExp }): boolean {
  const word = words[at]
  if (at === 0 || word?.value !== null || word.from !== undefined || word.named === true || word.text === '{}')
    return false
  if (isSeveral(word)) return true
  const [, beginning = ''] = /^["']*([^$`{"'\\]*)/.exec(word.text) ?? []
  if (beginning === '') return !valued.test(words[at - 1]?.value ?? '')
  if (!beginning.startsWith('-') || valued.test(beginning)) return false
  return option.startsWith(beginning) || (!option.startsWith('--') && /^-\w*$/.test(beginning))
}

/** Of these no two dashes end the options; several letters of tree in one word take the words behind. */
const endless = /^(find|tree)$/

/** The places of the words that may be one of the options. */
function opened(
  words: readonly BashWord[],
  option: string | undefined,
  { valued, several }: Pick<Farthest, 'valued' | 'several'>,
): readonly number[] {
  if (option === undefined) return []
  const end = endless.test(commandName(words)) ? -1 : endOfOptions(words.map(({ value }) => value))
  return words.flatMap((word, at) => {
    if (end !== -1 && at > end) return []
    return (several !== true || isSeveral(word)) && mayBe(option, words, { at, valued }) ? [at] : []
  })
}

/** `git log $(cat x)`: the word may be an option with which the program writes any file. */
export function mayWriteByOption(words: readonly BashWord[]): boolean {
  if (isKnown(words)) return false
  const { writes, valued } = farthestOf(words) ?? noOptions
  return (
    opened(words, writes, { valued }).length > 0 ||
    hasUnknownProgram(words) ||
    hasAnyVerb(words) ||
    mountsUnknown(words)
  )
}

/** `date $(cat x)`: the word may be an option with which the program shows any file. */
export function mayReadByOption(words: readonly BashWord[]): boolean {
  if (isKnown(words)) return false
  const most = farthestOf(words) ?? noOptions
  if (opened(words, most.reads, most).length > 0 || hasUnknownProgram(words) || hasAnyVerb(words)) return true
  return givesUnknownFile(words) || mountsUnknown(words)
}

/** `sed "$(cat x)" a.txt`, `awk "$x"`: the program may read and write any file. Behind it awk has no options any more. */
function hasUnknownProgram(words: readonly BashWord[]): boolean {
  const name = commandName(words)
  if (!/^(sed|[gmn]?awk)$/.test(name)) return false
  const brought = bringsProgram(words)
  const isValue = (at: number): boolean => name !== 'sed' && /^-[vF]$/.test(words[at - 1]?.text ?? '')
  const first = words.findIndex(({ text }, at) => at > 0 && !text.startsWith('-') && !isValue(at))
  return words.some((word, at) => {
    if (word.value !== null || word.from !== undefined || word.text === '{}' || withInstead(word.text, '') !== '')
      return false
    if (isValue(at) || (name !== 'sed' && (brought || at > first))) return false
    return isSeveral(word) || (brought ? /^(-[a-zA-Z]*e|--exp[a-z]*)$/.test(words[at - 1]?.value ?? '') : at === first)
  })
}

/** Options behind which, or glued to which, a file stands that the program shows, by their letters. */
const filesOf = byProgram<RegExp>({
  date: /^-[a-zA-Z]*f$/,
  file: /^-[a-zA-Z]*[fm]$/,
  make: /^(-[a-zA-Z]*f|--makefile)$/,
  gmake: /^(-[a-zA-Z]*f|--makefile)$/,
  pip: /^(-[rc]|--(requirement|constraint))$/,
  pip3: /^(-[rc]|--(requirement|constraint))$/,
  wget: /^-[a-zA-Z]*i$/,
  man: /^-[a-zA-Z]*l$/,
})
/** Commands of git whose message may lie in a file. */
const messages = /^(commit|tag|notes|merge)$/
/** Options of any program that say by their names that they take a file. */
const namedForFile = /^--([\w-]*file|files0-from|from-file)$/

/** `--env-file="$(cat x)"`, `date -f "$(cat x)"`: the option takes a file. */
function givesUnknownFile(words: readonly BashWord[]): boolean {
  const name = commandName(words)
  const ofGit = name === 'git' && messages.test(words[verbAt(words)]?.value ?? '') ? /^-[a-z]*F$/ : undefined
  const own = filesOf.get(name) ?? ofGit
  return valuesUnknown(words).some(({ option }) => own?.test(option) === true || namedForFile.test(option))
}

/** The options whose value, behind them or in the same word, only a running shell knows; and what is known of it. */
function valuesUnknown(words: readonly BashWord[]): readonly { readonly option: string; readonly beginning: string }[] {
  return words.flatMap((word, at) => {
    if (at === 0 || !isUnknown(word)) return []
    const [, glued, text = ''] = /^["']*(--[\w-]+(?==)|-[a-zA-Z](?=["']*[$`]))?=?["']*([^$`"']*)/.exec(word.text) ?? []
    const option = glued ?? words[at - 1]?.value ?? ''
    return option.startsWith('-') ? [{ option, beginning: text }] : []
  })
}

const containers = new Set(['docker', 'podman', 'nerdctl'])

/** `docker run -v "$(cat x)" …`: any directory is seen in the container. A volume has a name. */
function mountsUnknown(words: readonly BashWord[]): boolean {
  if (!containers.has(commandName(words))) return false
  return valuesUnknown(words).some(
    ({ option, beginning }) => /^(-[a-z]*v|--volume|--mount)$/.test(option) && !/^[a-z][\w-]*$/i.test(beginning),
  )
}

/** Options for the directory in which a program works. */
const goesTo = /^(-C|--(directory|prefix|cwd|chdir))$/
/** For these `-C` is another option, or another rule speaks of them. */
const staying = new Set('grep egrep fgrep zgrep rg ag ack git gcc cc'.split(' '))

/** `make -C "$(cat x)"`: the program works in a directory that only a running shell knows. */
export function goesAnywhere(words: readonly BashWord[]): boolean {
  return (
    !isKnown(words) &&
    !staying.has(commandName(words)) &&
    valuesUnknown(words).some(({ option }) => goesTo.test(option))
  )
}

/** `xargs find src`: words that come in may be actions of find. */
export function getsActions(words: readonly BashWord[]): boolean {
  if (commandName(words) !== 'find' || words.some(({ text }) => text.includes('{}'))) return false
  return mayWriteByOption([...words, { text: '', value: null, glob: false, splits: true }])
}

/** `make $(cat x)`: the word may be an option with which the program runs any command. */
export function mayRunByOption(words: readonly BashWord[]): boolean {
  if (isKnown(words)) return false
  const most = farthestOf(words) ?? noOptions
  return opened(words, most.runs, most).length > 0 || hasUnknownProgram(words)
}

/** A word that looks like the name of a file, and not like what is sought. */
const fileName = /[./]/

/** Whether a word that only a running shell knows may come to be this option of git. */
export function mayBeOptionOfGit(option: string, words: readonly BashWord[]): boolean {
  return opened(words, option, { valued: valuedOfGit }).length > 0
}

/**
 * The command as it may come to be: with the option that goes farthest in place of words that only a running shell knows,
 * and with each verb that the word of its verb may be. None where all is known.
 *
 * @example farthestForms(`grep $(cat x) KEY .`) // `grep -r KEY .`
 * @example farthestForms(`git "$1" HEAD`) // `git show HEAD` and others
 */
export function farthestForms(words: readonly BashWord[]): readonly (readonly BashWord[])[] {
  if (isKnown(words)) return none
  const forms = verbForms(words)
  if (forms.length > 0) return forms.map((form) => withFarthest(form) ?? form)
  const farther = withFarthest(words)
  return farther === null ? [] : [farther]
}

const none: readonly (readonly BashWord[])[] = []

function withFarthest(words: readonly BashWord[]): readonly BashWord[] | null {
  const { goes, valued } = farthestOf(words) ?? noOptions
  const places = new Set(opened(words, goes, { valued }))
  if (goes === undefined || places.size === 0) return null
  const text = goes === '-r' && standsForPattern(words, places) ? '-re^' : goes
  return words.map((word, at) => (places.has(at) ? { text, value: text, glob: false } : word))
}

/** `grep "$x" a.ts`: a single word is the pattern, or an option that brings one. */
function standsForPattern(words: readonly BashWord[], places: ReadonlySet<number>): boolean {
  const [place = 0] = places
  const word = words[place]
  if (word === undefined || isSeveral(word) || bringsProgram(words)) return false
  const operands = words.filter(({ value }, at) => at > 0 && value !== null && !value.startsWith('-'))
  return operands.every(({ value }) => fileName.test(value ?? ''))
}

/** A number, and that of a commit, may be the name of a file; git says the name back of a commit that is none. Numbers that are compared are none. */
export function numberedFiles(words: readonly BashWord[]): readonly Operand[] {
  if (isKnown(words)) return []
  const numbers = words.filter(({ value, from }) => value === null && from === 'number')
  if (numbers.length === 0 || /^(test|\[\[?)$/.test(commandName(words))) return []
  const below = reachOf(words) ?? undefined
  return ['[0-9]*', '[0-9a-f][0-9a-f][0-9a-f][0-9a-f]*', 'HEAD*', '@*'].flatMap((path) =>
    (['read', 'edit'] as const).map((access) => ({ path, access, glob: true, loose: false, below, ifThere: true })),
  )
}

const verbs = byProgram(farthestVerbs)

/** A text of the environment is no verb, nor is the name of a branch. */
function isUnknown(word: BashWord | undefined): word is BashWord {
  return word?.value === null && word.from === undefined && word.named !== true && word.text !== '{}'
}

/** A pattern of what the word may come to. */
function patternOf(word: BashWord): string {
  const [, beginning = ''] = /^["']*([\w-]*)/.exec(word.text) ?? []
  const pattern = withInstead(word.text, '*')
  return isSeveral(word) || /[$`{}()]/.test(pattern) ? `${beginning}*` : pattern
}

/** The verb of a program may be any one, with any options. */
export function hasAnyVerb(words: readonly BashWord[]): boolean {
  const verb = words[verbAt(words)]
  return verbs.has(commandName(words)) && isUnknown(verb) && isSeveral(verb) && /^["']*[$`]/.test(verb.text)
}

/**
 * The forms of a command in which its verb is one of those that the known parts of the word allow; none where the verb is
 * known.
 *
 * @example verbForms(`git sta$1 show -p`) // `git stash show -p` and others
 */
export function verbForms(words: readonly BashWord[]): readonly (readonly BashWord[])[] {
  const known = verbs.get(commandName(words))
  const at = verbAt(words)
  const verb = words[at]
  if (known === undefined || !isUnknown(verb)) return []
  const pattern = patternOf(verb)
  return known.flatMap((form) => {
    const [name = '', ...options] = form.split(' ')
    if (!mayFit(name, pattern, { dot: true })) return []
    const made = [name, ...(isSeveral(verb) ? options : [])].map((text) => ({ text, value: text, glob: false }))
    return [[...words.slice(0, at), ...made, ...words.slice(at + 1)]]
  })
}
