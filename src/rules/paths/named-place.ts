/**
 * The place that a file `.git` or `commondir` names.
 *
 * @returns undefined for a text that git refuses, null for one that does not say the same to everybody
 * @example placeNamed('gitdir: ../main/.git/worktrees/a\n', 'gitdir: ') // '../main/.git/worktrees/a'
 */
export function placeNamed(text: string, start: '' | 'gitdir: '): string | null | undefined {
  if (!text.startsWith(start)) return undefined
  const place = text.slice(start.length).replace(/\n$/, '')
  // A path ends for git at a NUL, and loses the line ends behind it.
  return place === '' || /\p{Cc}/u.test(place) || detours(place) ? null : place
}

/** No system knows a longer path. */
const longestPath = 4_096

/** A text of a path that leads elsewhere as soon as a directory on its way becomes a link: `a/../b`, or with each process. */
export function detours(path: string): boolean {
  if (path.length > longestPath || path.startsWith('/proc/') || path.startsWith('/dev/')) return true
  const names = path.split('/').filter((name) => name !== '' && name !== '.')
  return names.some((name, index) => name === '..' && (names[index - 1] ?? '..') !== '..')
}
