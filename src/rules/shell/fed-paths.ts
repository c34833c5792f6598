import type { BashCommand } from './bash-command.ts'
import type { BashWord } from './bash-word.ts'
import { byProgram, commandName, unwrapped } from './bash-wrappers.ts'
import { patternsIn, readings } from './code/code-words.ts'
import { joinedNames, namesInPlaces } from './code/placed-names.ts'

/** Programs that do nothing with their input but show, count or store it. */
const carriers = new Set(
  `cat tee grep egrep fgrep rg wc sort uniq head tail tr sed awk cut column fold fmt nl rev tac base64 md5sum sha1sum
  sha256sum jq yq less more bc xxd od hexdump read mapfile readarray echo printf pbcopy xclip : true false cmp diff comm
  paste sponge gh glab mail`.split(/\s+/),
)
/** `carries('cat')`: what it reads comes out again, and is not run. */
export function carries(name: string): boolean {
  return carriers.has(name)
}

/** More names than this of a line are not looked for on the disk. */
const most = 500

function decoded(text: string): string {
  return text.replaceAll(/%2e/gi, '.').replaceAll(/%2f/gi, '/')
}

/**
 * The names of files in a text that a program gets to read, where the program may open them: `zip -@ <<< .env`.
 *
 * @example fedPaths(`ed -s <<< 'r .env'`) // ['r', '.env']
 */
export function fedPaths(command: BashCommand): readonly string[] {
  const { fed = [], written = [] } = command
  if (fed.length === 0 && written.length === 0) return []
  const told = fedNames(command, fed)
  const texts = told.length === 0 ? written : [...fed, ...written]
  const names = [...told, ...namesInTexts(written).slice(0, most), ...texts.flatMap(joinedNames)]
  return [...names, ...namesInPlaces(texts.join('\n'), names.slice(0, most))]
}

function fedNames(command: BashCommand, fed: readonly string[]): readonly string[] {
  if (fed.length === 0) return []
  const words = unwrapped(command.words)
  const name = commandName(words)
  if (name === '' || carriers.has(name)) return []
  // A message that git keeps is not run.
  if (
    name === 'git' &&
    !takesPaths(words) &&
    words.some(({ value }) => /^(commit|tag|notes|hash-object|apply|am|interpret-trailers)$/.test(value ?? ''))
  )
    return []
  return namesInTexts(fed).slice(0, most)
}

/** `git hash-object --stdin-paths`: git gets the names of the files that it reads. */
export function takesPaths(words: readonly BashWord[]): boolean {
  return commandName(words) === 'git' && words.some(({ value }) => value?.startsWith('--stdin-') === true)
}

/** Programs for which `@file` stands for the words in a file. */
const expanders =
  /^([\w.-]+-)?(gcc|g\+\+|cc|c\+\+|cpp|clang(\+\+)?|ld|lld|as|ar|nm|objcopy|objdump|ranlib|readelf|size|strings|strip|elfedit|addr2line|c\+\+filt|7za?|javac?|jar|javadoc|kotlinc|rustc|cl|link|fsc|csc|mcs|swiftc)(-[\d.]+)?$/

const namesList = /^(@.|--files0?-from)/

/** `strings @list`, `cmake -E tar cf z --files-from=list`: what the program does stands in a file. */
export function takesWordsOfFile(words: readonly BashWord[]): boolean {
  const told = words.filter(
    ({ value }) => (value?.startsWith('@') === true || value?.startsWith('--') === true) && namesList.test(value),
  )
  if (told.length === 0) return false
  return told.some(({ value }) => value?.startsWith('--')) || expanders.test(commandName(words))
}

/** The words of texts that may be names of files, or patterns for them. */
export function namesInTexts(texts: readonly string[]): readonly string[] {
  const names = texts.flatMap(readings).flatMap((text) => [
    ...patternsIn(text),
    ...decoded(text)
      .split(/[\s"'`=,;:()<>@[\]{}|]+/)
      // `$\{x:-.env}`: the text behind the sign.
      .flatMap((part) => (/^[-+?]/.test(part) ? [part, part.slice(1)] : [part]))
      .filter((part) => /[\w.]/.test(part)),
  ])
  return [...new Set(names)]
}

/** Options behind which a file stands that holds the names of further files; cpio reads them from its input. */
const listOptions = byProgram<RegExp>({
  xargs: /^(-[a-zA-Z]*a|--arg)/,
  git: /^--(pathspec-from|stdin)/,
  cpio: /^(-[a-zA-Z]*[op]|--(cr|pa))/,
  pax: /^-[a-zA-Z]*w/,
  ctags: /^-L/,
  find: /^-files0/,
  tar: /^(-[a-zA-Z]*T|--files)/,
  zstd: /^--filel/,
  wc: /^--files/,
  du: /^--files/,
  sort: /^--files/,
  rsync: /^--files/,
  xz: /^--files/,
  unxz: /^--files/,
  xzcat: /^--files/,
  lzma: /^--files/,
})

/** `tar -T list`, `wc --files0-from=-`: the names of the files that the command opens stand in a file, or come in. */
export function takesList(words: readonly BashWord[]): boolean {
  const name = commandName(words)
  const isTar = name.endsWith('tar')
  const option = listOptions.get(isTar ? 'tar' : name)
  // The first word of tar may leave out the dash.
  const written = (value: string, at: number): string => (isTar && at === 1 ? value.replace(/^(?!-)/, '-') : value)
  return option !== undefined && words.some(({ value }, at) => at > 0 && option.test(written(value ?? '', at)))
}
