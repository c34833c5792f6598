/**
 * The words of a program's text that may be names of files or commands, read without knowing its language: only signs that
 * mean the same in nearly all of them are looked at.
 */

/** Between two texts in quotes that a language joins: nothing, a blank, or a sign for "and". */
const betweenTexts = /(["'`])\s*(?:(?:\.{1,2}|\+|\|\||~|&)\s*(?:\(\s*)?)?(?:\\\n\s*)?(["'`])/g
/** A sign for "and" that is itself the text in quotes: `"." + "env"`. */
const signTexts = /(["'`])(\.{1,2}|\+|\|\||~|&)\1(?=\s*[.+|~&("'`\\])/g
/** Expansions that come to nothing mostly: `$(x)` of make, `\*[x]` of troff. */
const emptyParts = /\$\(\w*\)|\$\{\w*\}|(?<!\\)\\+\*(?:\[\w*\]|\(\w\w|\w)/g
/** Quotes of perl with letters in front: `qx/rm/`, `q{rm}`. */
const letteredQuotes = /\bq[qxw]?\s*[^\w\s,;=.)\]]/g

/**
 * A program's text without the joints in its names.
 *
 * @example withoutJoints(`system("r"."m")`) // 'system("rm")'
 */
export function withoutJoints(text: string): string {
  return text
    .replaceAll(emptyParts, '')
    .replaceAll(betweenTexts, '')
    .replaceAll(/(?<!\\)\\+(?=[\w./])/g, '')
    .replaceAll(letteredQuotes, ' ')
}

/** Without one of these a text has no joint. */
const joining = /["'`$\\q\u0001]/

/** A string of troff that gets a text, or more of it: `.ds x forbid`. */
const stringSet = /^[.'][ \t]*([da]s1?)[ \t]+(\S+)[ \t]+"?(.*)$/gm
/** A longer text is no part of a name. */
const longestString = 40

/** The text with the strings of troff in the places where they are used: `\*[x]den`. */
function withStrings(text: string): string {
  if (!text.includes('\\*')) return text
  const strings = new Map<string, string>()
  for (const [, request = '', name = '', value = ''] of text.matchAll(stringSet)) {
    const before = request.startsWith('a') ? (strings.get(name) ?? '') : ''
    strings.set(name, (before + filled(value, strings)).slice(0, longestString))
  }
  return strings.size === 0 ? text : filled(text, strings)
}

function filled(text: string, strings: ReadonlyMap<string, string>): string {
  return text.replaceAll(
    /\\+\*(?:\[([^\]\s]*)\]|\((\S\S)|(\S))/g,
    (used: string, ...[long, two, one]: (string | undefined)[]) => strings.get(long ?? two ?? one ?? '') ?? used,
  )
}

/** Signs that stand in a text as numbers: `\x2e`, `\u{2e}`, `\056`, `\N{U+2E}`. */
const numberedSigns =
  /\\(?:[xu]\{([\da-fA-F]{1,6})\}|N\{U\+([\da-fA-F]{1,6})\}|x([\da-fA-F]{1,2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|o\{([0-7]{1,6})\}|([0-3]?[0-7]{2}))/g

/** The text with the signs that stand in it as numbers. */
function withSigns(text: string): string {
  return text.replaceAll(numberedSigns, (sign: string, ...found: (string | undefined)[]) => {
    const at = found.slice(0, 7).findIndex((each) => each !== undefined)
    const code = Number.parseInt(found[at] ?? '', at < 5 ? 16 : 8)
    return code >= 32 && code <= 0x10ffff ? String.fromCodePoint(code) : sign
  })
}

/**
 * The text as it stands, without joints where it has some, and with the signs that stand in it as numbers; a sign in quotes
 * may be a joint, or a text.
 */
export function readings(text: string): readonly string[] {
  if (!joining.test(text)) return [text]
  const signed = text.includes('\\') ? withSigns(text) : text
  return signed === text ? jointless(text) : [...new Set([...jointless(text), ...jointless(signed)])]
}

const plainWord = /^(?!.*\bq)(?:-\w|--[\w-]+|(?:\.{0,2}\/)?(?!-)[\w@/-]*[\w@-](?:\.\w+)?)$/

/**
 * Says whether a word is an option, a name or a path in which nobody reads another name: it has no sign that parts words, no
 * option with a value, no `q`, which begins a quote in perl, and no two dots, between which git reads a name.
 *
 * @example isPlainWord('-crm') // false
 */
export function isPlainWord(word: string): boolean {
  return plainWord.test(word)
}

function jointless(text: string): readonly string[] {
  const marked = text.replaceAll(signTexts, '$1\u0001$2$1')
  const texts = [...new Set([text, marked, withStrings(text)])]
  return [...new Set([text, ...texts.map((each) => withoutJoints(each).replaceAll('\u0001', ''))])]
}

/** Calls that take a pattern of names, whatever is in it: `glob(".*")`, and `<.*>` of perl. */
const globCall = /\bglob\w*\s*(?:\(\s*)?["']([^"'\s]*)["']|<([^<>\s=]*)>/g
/** More patterns than these are not looked for in a text. */
const mostPatterns = 50
const patternWord = /(?<![\w.~/*?[\]-])[\w.~/*?[\]-]*(?:[*?]|\[!?)[\w.~/*?[\]-]*/g

/**
 * The words of a program's text that a shell would take for patterns of files. `*` and `[a-z]*` are calculations and regular
 * expressions too often to count; `.*` counts behind a blank.
 *
 * @example patternsIn('system("cat .e*")') // ['.e*']
 */
export function patternsIn(text: string): readonly string[] {
  if (!/[*?[]/.test(text)) return []
  const named = (text.match(patternWord) ?? []).filter((word) => isPattern(word))
  const called = [...text.matchAll(globCall)]
    .map(([, quoted, angled = '']) => quoted ?? angled)
    .filter((each) => /[*?[]/.test(each))
    .map((each) => `./${each}`)
  const hidden = /\s\.[*?]+(\/[*?]+)*(?=["'`\s)]|$)/.exec(text)?.[0].trim()
  return [
    ...named.slice(0, mostPatterns),
    ...called.slice(0, mostPatterns),
    ...(hidden === undefined ? [] : [`./${hidden}`]),
  ]
}

/** Signs without a letter that name a place: `.[a-z]*`, and a part of a path in front of another, as in `.*` + `/x`. */
const placeOfSigns = /(?:^|\/)(?:\.\[[^\]]|\.?(?:[*?]|\[[^\]]*\])+\/[^/])/

/** `isPattern('.e*')`: a part of a name stands beside the signs, or a place before them. */
export function isPattern(word: string): boolean {
  if (!/[*?[]/.test(word)) return false
  return /\w/.test(word.replaceAll(/\[[^\]]*\]?/g, '')) || word.startsWith('./.') || placeOfSigns.test(word)
}

/** Ways to go through a directory in usual languages: what is found there has names that stand nowhere. */
const goingThrough =
  /File::Find|\b(rmtree|remove_tree|os\.walk|os\.fwalk|copytree|make_archive|rglob|walkdir|find_all_files|finddepth|recursive)\b|-m (http\.server|tarfile|zipfile|SimpleHTTPServer)\b|\*\*\/|["'`]\*\*["'`]/i

/** Calls that say the names in a directory, and what a program does with files under names that it got. */
const listing = /\b(?:listdir|scandir|iterdir|opendir|readdir(?:Sync)?)\b|\)\.glob\(/
const opening =
  /open(?!dir)|read(?!dir)|system|exec|spawn|unlink|remove|rename|copy|write|appendFile|truncate|chmod|chown|utimes|symlink\w*\(|\blink(?:Sync)?\(|\bcp(?:Sync)?\(|\bmove\(|fileinput|linecache|subprocess|check_(?:output|call)|Popen|<\w*>|\brm/i

/** Signs for the directory in which the program runs. */
const here = /\b(?:listdir|scandir)\(\)|-m (http|Simple)|getcwd|\bcwd\(|\bcurdir\b|Path\(\)|["'\s]\*\*["'/]/

/** More names than these are not looked for in a text. */
const mostTrees = 200

/**
 * The names among which those of the directories are that a program's text goes through as a whole.
 *
 * @param isSure The program goes through directories, whatever its text looks like.
 * @example treesIn('for x in os.walk("docs"): print(x)') // […, 'docs', …]
 */
export function treesIn(text: string, isSure = false): readonly string[] {
  if (!isSure && !goingThrough.test(text) && !(listing.test(text) && opening.test(text))) return []
  const names = (text.match(/(?<!\*)[\w.~/-]+/g) ?? []).slice(0, mostTrees)
  return [...new Set(here.test(text) ? ['.', ...names] : names)]
}

/** `cd DIR; …`, as a shell reads it that a program starts. */
const moving = /\bcd\s+([\w.~/-]+)\s*(?:;|&&|\n)([^"'`\n]*)/g

/**
 * The files that a text for a shell may name behind a change of the directory.
 *
 * @example namedBehindMoves('system("cd docs; cat a")') // ['docs/cat', 'docs/a']
 */
export function namedBehindMoves(text: string): readonly string[] {
  if (!text.includes('cd')) return []
  return [...text.matchAll(moving)].flatMap(([, directory = '', rest = '']) =>
    (rest.match(/[\w.~/*?[\]-]+/g) ?? []).slice(0, mostPatterns).map((word) => `${directory}/${word}`),
  )
}

/** Calls that read `.env` without saying so. */
export function readsEnvironment(text: string): boolean {
  return /\bloadEnvFile\s*\(|\bdotenv\b/.test(text)
}
