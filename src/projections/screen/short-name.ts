/**
 * A name in at most so many letters. Letters in the middle go: names of replicas differ at their ends.
 *
 * @example shortName('release-notes-historian-2', 17) // 'release-no…rian-2'
 */
export function shortName(name: string, most: number): string {
  if (name.length <= most) return name
  const tail = 6
  return `${name.slice(0, most - tail - 1)}…${name.slice(-tail)}`
}
