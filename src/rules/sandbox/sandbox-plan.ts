import type { Policy, Sandboxed } from '../../protocol/permissions/permission.ts'
import type { SandboxSettings } from '../../protocol/permissions/settings.ts'
import { coversHost } from '../permissions/rule.ts'
import { blockedHost, isAddress } from '../paths/host-name.ts'
import { isInside, resolveFrom } from '../paths/path-inside.ts'
import { deniedFiles } from './denied-files.ts'

/** The files and hosts that a sandbox opens to a command. Paths are absolute. */
export interface SandboxPlan {
  readonly writable: readonly string[]
  /** Writable, but neither moved nor removed: mount points of their own. */
  readonly pinned?: readonly string[]
  /** Inside the writable ones, closed again. */
  readonly readOnly: readonly string[]
  /** Inside the closed ones, writable after all; what of `readOnly` lies in them stays closed. */
  readonly reopened?: readonly string[]
  readonly hidden: readonly string[]
  /** Inside the hidden ones, shown after all. */
  readonly shown: readonly string[]
  /** `proxied`: only the hosts that `hostReach` opens. */
  readonly network: 'open' | 'closed' | 'proxied'
  /** Commands may talk to others on this machine through sockets of the file system. */
  readonly unixSockets: boolean
}

/** Where sandboxed commands may not write inside a working directory, there or not: what git and editors run later on. */
const guarded = [
  '.git/hooks',
  '.git/config',
  '.git/info',
  '.git/config.worktree',
  '.claude',
  '.mcp.json',
  '.vscode',
  '.idea',
  '.husky',
  '.devcontainer',
  '.cursor',
]
/** Inside of every repository. With `commondir` git looks for its settings elsewhere. */
const gitParts = 'hooks config config.worktree info modules commondir remotes branches objects/info/alternates'.split(
  ' ',
)
/** Inside of what a repository keeps of each of its worktrees. */
const worktreeParts = ['commondir', 'gitdir', 'config.worktree']

/** Files and repositories in the writable places that configure tools; absolute paths. */
export interface Configuring {
  /** The directories in which git keeps repositories. */
  readonly repositories: readonly string[]
  /** Directories in which they keep what they know of worktrees. */
  readonly worktrees: readonly string[]
  /** Files and links named `.git`, which say where a repository is. */
  readonly gitFiles: readonly string[]
  readonly files: readonly string[]
  /** Directories of which nobody knows what is in them. */
  readonly shut: readonly string[]
  /** All that was looked at. */
  readonly seen: readonly string[]
}

const nothingFound: Configuring = { repositories: [], worktrees: [], gitFiles: [], files: [], shut: [], seen: [] }

/**
 * The sandbox of a policy's shell commands as the settings want it; undefined when they ask for none.
 *
 * @param available Whether this machine has one: only then do commands need no question.
 * @example sandboxedBy({ enabled: true, autoAllowBashIfSandboxed: true }, { cwd, home, available: true })
 */
export function sandboxedBy(
  settings: SandboxSettings,
  { cwd, home, available }: { readonly cwd: string; readonly home: string; readonly available: boolean },
): Sandboxed | undefined {
  if (settings.enabled !== true) return undefined
  const absolute = (paths: readonly string[] = []): readonly string[] =>
    paths.map((path) => resolveFrom(cwd, home, path))
  const { allowWrite, denyWrite, denyRead, allowRead } = settings.filesystem ?? {}
  return {
    allows: available && settings.autoAllowBashIfSandboxed === true,
    excluded: settings.excludedCommands ?? [],
    required: settings.failIfUnavailable === true,
    leavable: settings.allowUnsandboxedCommands !== false,
    files: {
      allowWrite: absolute(allowWrite),
      denyWrite: absolute(denyWrite),
      denyRead: absolute(denyRead),
      allowRead: absolute(allowRead),
    },
    domains: settings.network?.allowedDomains ?? [],
    closedDomains: settings.network?.deniedDomains ?? [],
    unixSockets: settings.network?.allowAllUnixSockets === true,
  }
}

/** In the user's `.troupe`: whoever reads them can speak for the user. */
const secret = ['keys', 'server-tokens.json', 'mcp/logins']

/**
 * The plan of a sandbox for one member: it may write where the member works and in the temporary directory, never what
 * the bounds and deny rules close, and never read the keys of runs, tokens and logins. While a member plans it writes in
 * no working directory.
 *
 * @param found What the places that `sandboxWritable` names hold.
 * @throws when deny rules close too many files
 * @example sandboxPlan(policy, { home: '/home/ann', temporary: '/tmp' }).writable
 */
export function sandboxPlan(
  policy: Policy,
  {
    home,
    temporary,
    found = nothingFound,
  }: { readonly home: string; readonly temporary: string; readonly found?: Configuring },
): SandboxPlan {
  const { denyWrite = [], denyRead = [], allowRead = [] } = policy.sandboxed?.files ?? {}
  const { protected: closed, open } = policy.bounds
  const { repositories, worktrees, gitFiles, files, shut, seen } = found
  const working = policy.mode === 'plan' ? [] : workingIn(policy)
  const pinned = pinnedIn(found, policy)
  const denied = deniedFiles(policy, home, seen)
  const inAll = (dirs: readonly string[], names: readonly string[]): readonly string[] =>
    dirs.flatMap((dir) => names.map((name) => `${dir}/${name}`))
  return {
    writable: policy.mode === 'plan' ? [temporary] : [...sandboxWritable(policy), temporary],
    ...(pinned.length > 0 ? { pinned } : {}),
    readOnly: [
      ...closed,
      ...inAll(working, guarded),
      ...inAll(repositories, gitParts),
      ...inAll(worktrees, worktreeParts),
      ...gitFiles,
      ...files,
      ...shut,
      ...denied.edit,
      ...denyWrite,
    ],
    ...(open && policy.mode !== 'plan' ? { reopened: open } : {}),
    hidden: [...inAll([`${home}/.troupe`], secret), ...denied.read, ...denyRead],
    shown: allowRead,
    network: networkOf(policy),
    unixSockets: policy.sandboxed?.unixSockets === true,
  }
}

/** Sorted, so that a directory stands before what is in it. */
function pinnedIn({ repositories, worktrees, gitFiles, shut }: Configuring, policy: Policy): readonly string[] {
  if (policy.mode === 'plan') return []
  const around = between([...repositories, ...worktrees, ...gitFiles, ...shut], sandboxWritable(policy))
  return [...around, ...repositories, ...worktrees].toSorted((a, b) => a.length - b.length)
}

/** The directories between writable ones and paths in them: a repository that moves with one would read other settings. */
function between(paths: readonly string[], writable: readonly string[]): readonly string[] {
  const found = new Set<string>()
  for (const path of paths) {
    for (const dir of writable.filter((each) => isInside(each, path)))
      for (let at = above(path); at.length > dir.length; at = above(at)) found.add(at)
  }
  return [...found]
}

function above(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

/** The places beside the temporary directory where commands of a policy may write. */
export function sandboxWritable(policy: Policy): readonly string[] {
  return [...workingIn(policy), ...(policy.sandboxed?.files?.allowWrite ?? [])]
}

function workingIn({ bounds, directories }: Policy): readonly string[] {
  return bounds.scope.length > 0 ? bounds.scope : directories
}

function networkOf({ sandboxed, bounds }: Policy): SandboxPlan['network'] {
  const { domains = [], closedDomains = [] } = sandboxed ?? {}
  if (domains.length === 0) return 'closed'
  return domains.includes('*') && closedDomains.length === 0 && bounds.blockedHosts.length === 0 ? 'open' : 'proxied'
}

/**
 * Whether commands in the sandbox of a policy may reach a host: `named` itself among the open ones, or covered by a pattern.
 * Where something is closed a pattern opens no address of numbers, which may be that of what is closed.
 *
 * @param host As a URL has it, in small letters, without a final dot.
 * @example hostReach(policy, 'registry.example.com') // 'covered' with *.example.com among the allowed domains
 */
export function hostReach(policy: Policy, host: string): 'named' | 'covered' | 'closed' {
  const { sandboxed, bounds } = policy
  const { domains = [], closedDomains = [] } = sandboxed ?? {}
  const named = (patterns: readonly string[]): boolean =>
    patterns.some((pattern) => coversHost(pattern.toLowerCase(), host))
  const blocked = bounds.blockedHosts.some((name) => host === name || host.endsWith(`.${name}`))
  if (blocked || named(closedDomains) || !named(domains)) return 'closed'
  if (domains.some((domain) => domain.toLowerCase() === host)) return 'named'
  return isAddress(host) && closedHosts(policy).length > 0 ? 'closed' : 'covered'
}

/** The hosts that are closed whatever is open, without stars: the addresses behind them are closed as well. */
export function closedHosts({ sandboxed, bounds }: Pick<Policy, 'sandboxed' | 'bounds'>): readonly string[] {
  const names = [...(sandboxed?.closedDomains ?? []), ...bounds.blockedHosts].map(blockedHost)
  return names.filter((name) => name !== '' && !name.includes('*'))
}
