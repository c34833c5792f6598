/**
 * The places that a program's text goes to by a call before it names files: the home, a directory that a call is given, the
 * parts of a path. Read without knowing the language, as all of its names are.
 */

/** Calls and variables that stand for the home, and a `cd` to no place. */
const homes =
  /\bhomedir\b|\bUserHomeDir\b|\b(?:Path|Dir)\.home\b|expanduser|expandvars|\bHOME\b|USERPROFILE|getpwuid|["'`]~["'`/]|\b(?:cd|pushd)\s*(?:~\s*)?(?:[;&|"'`\n]|$)|\bchdir\s*(?:\(\s*\))?\s*[;}]/

/** `saysHome('process.chdir(os.homedir())')` */
export function saysHome(text: string): boolean {
  return homes.test(text)
}

/** A directory in quotes in which the calls around it work: `cwd="../home"`, `chdir('docs')`. */
const places = /\b(?:cwd|chdir|cd|dir|root_dir|base_path)\s*[=:(,]?\s*(?:\w[\w.]*\(\s*)?["'`]([^"'`\n]{1,200})["'`]/g
/** Texts in quotes behind one another, as parts of one path. */
const parts = /(["'`])[^"'`\n]{1,200}\1(?:\)*\s*[,/]\s*(["'`])[^"'`\n]{1,200}\2)+/g
const part = /(["'`])([^"'`\n]{1,200})\1/g
/** More parts of one path, and more names, are not looked for. */
const mostParts = 8
const mostJoined = 100

/**
 * The names of which a text gives the parts apart.
 *
 * @example joinedNames('join(home, ".ssh", "id_rsa")') // ['.ssh/id_rsa']
 */
export function joinedNames(text: string): readonly string[] {
  if (!/["'`]\)*\s*[,/]/.test(text)) return []
  return [...text.matchAll(parts)].slice(0, mostJoined).flatMap(([run]) => {
    const names = [...run.matchAll(part)].slice(0, mostParts).map((found) => found[2] ?? '')
    return names.slice(0, -1).flatMap((_name, from) => endings(names.slice(from)))
  })
}

/** Each path of two or more parts that begins with the first. */
function endings(names: readonly string[]): readonly string[] {
  return names.slice(1).map((_name, at) => names.slice(0, at + 2).join('/'))
}

/**
 * The same names below each place that the text goes to; the home is one.
 *
 * @example namesInPlaces('chdir(homedir()); read(".ssh/x")', ['.ssh/x']) // ['~/.ssh/x']
 */
export function namesInPlaces(text: string, names: readonly string[]): readonly string[] {
  const told = [...text.matchAll(places)].slice(0, mostParts).map(([, place = '']) => place)
  const all = [...new Set([...(saysHome(text) ? ['~'] : []), ...told])]
  if (all.length === 0) return []
  const plain = names.filter((name) => !name.startsWith('~') && !/\s/.test(name))
  return all.flatMap((place) => plain.map((name) => `${place}/${name.replace(/^\/+/, '')}`))
}
