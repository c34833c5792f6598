/** Where an edit took place, or how often its text occurs when that is not once. */
export type Replaced =
  | { readonly text: string; readonly lines: readonly number[] }
  | { readonly text: null; readonly lines: readonly number[] }

export interface Replacement {
  readonly old: string
  readonly next: string
  readonly all: boolean
}

/**
 * Replaces a text that must occur exactly once, or all its occurrences when that is asked for. In a file with Windows
 * line ends both texts are taken with those line ends, since readers do not see them.
 *
 * @returns The new text with the line numbers of the places; text null and the places found (none or several) otherwise.
 * @example replaceText('a b a', { old: 'b', next: 'c', all: false }) // { text: 'a c a', lines: [1] }
 */
export function replaceText(file: string, { old, next, all }: Replacement): Replaced {
  const windows = file.includes('\r\n') && !(old.includes('\n') && file.includes(old))
  const wanted = windows ? withWindowsEnds(old) : old
  const places = placesOf(file, wanted)
  const lines = lineNumbers(file, places)
  if (places.length === 0 || (places.length > 1 && !all)) return { text: null, lines }
  return { text: file.split(wanted).join(windows ? withWindowsEnds(next) : next), lines }
}

function placesOf(file: string, wanted: string): readonly number[] {
  const places: number[] = []
  for (let at = file.indexOf(wanted); at !== -1; at = file.indexOf(wanted, at + wanted.length)) places.push(at)
  return places
}

function lineNumbers(file: string, places: readonly number[]): readonly number[] {
  let line = 1
  let from = 0
  return places.map((place) => {
    for (let at = file.indexOf('\n', from); at !== -1 && at < place; at = file.indexOf('\n', at + 1)) line += 1
    from = place
    return line
  })
}

function withWindowsEnds(text: string): string {
  return text.replace(/\r?\n/g, '\r\n')
}
