import { PluginRefused } from '../../protocol/plugins/plugin-refused.ts'
import { childEnv } from '../process/child-env.ts'
import { systemEnv } from '../fs/system-programs.ts'
import { runCommand } from '../process/run-command.ts'

/*
 * Fetches one commit of a stranger's git repository. Owns the directory that it makes.
 * 1. Nothing that the repository holds is run: no hook, no filter, no monitor; submodules are not fetched.
 * 2. Only https, ssh and file are spoken, whatever the repository or a redirection asks for. Nobody is asked for a password.
 * 3. What lies in the commit is counted before any of it is written as a file.
 */

/** A commit on the disk. */
export interface FetchedRepository {
  readonly commit: string
}

/** A repository and where it is put. */
export interface WantedRepository {
  readonly url: string
  readonly ref: string | null
  /** Absolute; made by this. */
  readonly into: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The largest repository, as git packs it and unpacked, and its number of files. */
export const repositoryLimits = { bytes: 512 * 1024 * 1024, files: 100_000, ms: 5 * 60_000 } as const

const settings =
  `core.hooksPath=/dev/null core.fsmonitor=false core.symlinks=true submodule.recurse=false fetch.recurseSubmodules=false
  transfer.fsckObjects=true gc.auto=0 maintenance.auto=false protocol.version=2 core.protectHFS=true core.protectNTFS=true`
    .split(/\s+/)
    .flatMap((setting) => ['-c', setting])

/** Variables that a person's own git needs to reach private repositories. */
const personal = /^(GIT_CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)|GIT_SSH|GIT_SSH_COMMAND|SSH_AUTH_SOCK)$/

/**
 * Fetches a commit and puts its files into a directory.
 *
 * @throws PluginRefused in git's own words where there is no such repository or ref, and for a repository beyond the limits
 * @example await fetchRepository({ url: 'https://github.com/acme/fmt.git', ref: 'v2', into: '/tmp/fmt', env: process.env })
 */
export async function fetchRepository({ url, ref, into, env }: WantedRepository): Promise<FetchedRepository> {
  const online = environment(env)
  const offline = { ...online, GIT_ALLOW_PROTOCOL: 'none', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
  await git(['init', '--quiet', '--template=', '--', into], { cwd: '/', env: offline })
  const fetch = ['fetch', '--quiet', '--depth=1', '--no-tags', '--no-recurse-submodules', '--', url, ref ?? 'HEAD']
  await git(fetch, { cwd: into, env: online })
  const commit = (await git(['rev-parse', '--verify', 'FETCH_HEAD^{commit}'], { cwd: into, env: offline })).trim()
  refuseHugeTree(await git(['ls-tree', '-r', '-l', '-z', commit], { cwd: into, env: offline }))
  await git(['checkout', '--quiet', '--detach', commit], { cwd: into, env: offline })
  return { commit }
}

/** Lines of `git ls-tree -r -l -z`: mode, kind, object, size, path. */
function refuseHugeTree(listing: string): void {
  const lines = listing.split('\0').filter((line) => line !== '')
  const bytes = lines.reduce((sum, line) => sum + (Number(line.split(/\s+/, 4)[3]) || 0), 0)
  if (lines.length > repositoryLimits.files || bytes > repositoryLimits.bytes)
    throw new PluginRefused(
      `the repository holds ${lines.length} files of ${Math.round(bytes / 1024 / 1024)} MiB; at most ${repositoryLimits.files} files and ${repositoryLimits.bytes / 1024 / 1024} MiB are taken`,
    )
}

interface GitPlace {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** No file that git writes, a pack included, grows beyond the limit: `ulimit -f` counts blocks of 512 bytes. */
async function git(args: readonly string[], { cwd, env }: GitPlace): Promise<string> {
  const out: string[] = []
  const limited = `ulimit -f ${repositoryLimits.bytes / 512} && exec "$@"`
  const end = await runCommand(['/bin/sh', '-c', limited, 'git', 'git', ...settings, ...args], {
    cwd,
    env,
    signal: new AbortController().signal,
    timeoutMs: repositoryLimits.ms,
    onOutput: (text) => out.push(text),
  })
  if (end.exitCode === 0) return out.join('')
  if (end.stopped !== null)
    throw new PluginRefused(`git ${args[0] ?? ''} took longer than ${repositoryLimits.ms / 60_000} minutes`)
  throw new PluginRefused(`git ${args[0] ?? ''}: ${end.errors.trim() || `it ended with ${end.signal ?? end.exitCode}`}`)
}

function environment(env: WantedRepository['env']): Readonly<Record<string, string>> {
  const own = Object.entries(env).flatMap(([name, value]) =>
    personal.test(name) && value !== undefined ? [[name, value] as const] : [],
  )
  return {
    ...systemEnv(childEnv(env), []),
    ...Object.fromEntries(own),
    GIT_ALLOW_PROTOCOL: 'https:ssh:file',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    // A program without a terminal asks nobody; the person's own ssh, of the environment or of core.sshCommand, counts.
    SSH_ASKPASS_REQUIRE: 'never',
    GIT_LFS_SKIP_SMUDGE: '1',
    LC_ALL: 'C',
  }
}
