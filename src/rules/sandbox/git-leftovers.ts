import { detours } from '../paths/named-place.ts'

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

/** Settings whose value names another repository. */
const remotes = /^(?:remote\..*\.(?:push)?url|branch\..*\.(?:push)?remote|submodule\..*\.url)$/is

/** `namesRemote('remote.origin.url')`: git looks for another repository where the value of this setting says. */
export function namesRemote(key: string): boolean {
  return remotes.test(key)
}

/**
 * The path of another repository on this machine: whoever pushes there runs the hooks of that place.
 *
 * @returns undefined for an address on a server, null for one that does not say the same to everybody or runs a program
 * @example pathOfRemote('file:///srv/shop.git') // '/srv/shop.git'
 */
export function pathOfRemote(address: string): string | null | undefined {
  if (/^[a-z][a-z\d+.-]*::/i.test(address) || address.startsWith('~')) return null
  const file = /^file:\/\/[^/]*(\/.*)$/s.exec(address)?.[1]
  if (file === undefined && /^(?:[a-z][a-z\d+.-]*:\/\/|[^/]*:)/i.test(address)) return undefined
  // Git takes what percent signs stand for out of an address, and not out of a path.
  const path = file === undefined || !file.includes('%') ? (file ?? address) : null
  return path === null || detours(path) ? null : path
}

/** `settingThatRuns(['core.bare', 'core.fsmonitor'])`: the first key that may make git run a program. */
export function settingThatRuns(keys: readonly string[]): string | undefined {
  return keys.find((key) => !harmless.test(key))
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
