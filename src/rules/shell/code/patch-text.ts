/** The lines of a patch that say names; those of `rename` and `copy` have no directory in front. */
const header =
  /^[ \tX]*(?:(?:---|\+\+\+|\*\*\*|Index:)[ \t]+|(?<pair>diff --git )|(?<bare>(?:rename|copy) (?:from|to|old|new) ))(?<rest>.+)$/gm

/**
 * The names of the files that a patch changes.
 *
 * @param strip how many directories are taken from the front of each name
 * @example namesInPatch('+++ b/src/a.ts\n', 1) // ['src/a.ts']
 */
export function namesInPatch(text: string, strip: number): readonly string[] {
  const names = [...text.matchAll(header)].flatMap(({ groups = {} }) => {
    const { pair, bare, rest = '' } = groups
    const taken = bare === undefined ? strip : Math.max(0, strip - 1)
    const said = pair === undefined ? namesSaid(rest) : pairOf(rest)
    return said.flatMap((name) => (name === '/dev/null' ? [] : name.split(/\/+/).slice(taken).join('/')))
  })
  return [...new Set(names)].filter((name) => name !== '')
}

/** A name with blanks ends with its line or at a tab; older patches have a time behind a blank. */
function namesSaid(rest: string): readonly string[] {
  if (rest.startsWith('"')) return quotedIn(rest)
  const [whole = ''] = rest.split('\t', 1)
  return [whole.trimEnd(), ...rest.split(/\s/, 1)]
}

/** `a/x y b/x y`: both are the same name behind the first directory. */
function pairOf(rest: string): readonly string[] {
  const quoted = quotedIn(rest)
  if (quoted.length > 0) return quoted
  const behind = (name: string): string => name.slice(name.indexOf('/') + 1)
  return [...rest.matchAll(/ /g)].flatMap(({ index }) => {
    const name = rest.slice(index + 1)
    return behind(rest.slice(0, index)) === behind(name) ? [name] : []
  })
}

/** Names as git quotes odd ones: `"b/gr\303\274n"`. */
function quotedIn(rest: string): readonly string[] {
  return [...rest.matchAll(/"((?:\\.|[^"\\])*)"/gs)].map(([, inner = '']) => unquoted(inner))
}

const signs: Readonly<Record<string, string>> = { a: '\x07', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r' }

function unquoted(text: string): string {
  const bytes = [...text.matchAll(/\\([0-7]{1,3})|\\(.)|([^\\]+)/gs)].flatMap(([, octal, sign, plain]) =>
    octal === undefined
      ? [...new TextEncoder().encode(sign === undefined ? plain : (signs[sign] ?? sign))]
      : [Number.parseInt(octal, 8) & 255],
  )
  return new TextDecoder().decode(Uint8Array.from(bytes))
}

/** A patch whose names do not stand there to be read, or one that makes a link on the way to another file. */
export function isOpaque(text: string): boolean {
  return /^(Content-Transfer-Encoding:\s*(base64|quoted)|(new|new file) mode 120)/im.test(text)
}
