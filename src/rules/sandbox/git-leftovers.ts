/** Settings of a repository that run nothing, whatever their value is. */
const harmless = new RegExp(
  `^(?:${[
    String.raw`core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|sparsecheckout(cone)?)`,
    String.raw`remote\..*\.(url|fetch|push|pushurl|mirror|tagopt|prune)`,
    String.raw`branch\..*\.(remote|merge|rebase|pushremote)`,
    String.raw`user\.(name|email)|init\.defaultbranch|pull\.(rebase|ff)|fetch\.prune|gc\..*|advice\..*|color\..*`,
    String.raw`submodule\.(active|.*\.(url|active|branch))`,
    // A partial clone fetches what it lacks at any time, by a program of the other repository.
    String.raw`extensions\.(objectformat|refstorage|compatobjectformat)`,
  ].join('|')})$`,
  'is',
)

/** `settingThatRuns(['core.bare', 'core.fsmonitor'])`: the first key that may make git run a program. */
export function settingThatRuns(keys: readonly string[]): string | undefined {
  return keys.find((key) => !harmless.test(key))
}

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

/** A text of a path that leads elsewhere as soon as a directory on its way becomes a link: `a/../b`, or with each process. */
export function detours(path: string): boolean {
  return /[^/.][^/]*\/+(?:\.\/+)*\.\.(?:\/|$)|\.\.[^/]+\/+\.\.(?:\/|$)/.test(path) || /^\/(?:proc|dev)\//.test(path)
}

/**
 * The list of a rebase without the lines that run a program.
 *
 * @example withoutPrograms('pick 1a2b3c a\nexec make\n') // 'pick 1a2b3c a\n'
 */
export function withoutPrograms(todo: string): string {
  const lines = todo.split('\n')
  return lines.filter((line) => !/^\s*(?:x|exec)(?:\s|$)/.test(line)).join('\n')
}
