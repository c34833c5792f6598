import { execFile, execFileSync } from 'node:child_process'
import { systemEnv } from '../fs/system-programs.ts'
import { childEnv } from '../process/child-env.ts'
import { runCommand, type CommandEnd } from '../process/run-command.ts'

/*
 * Runs git for Troupe's own acts, never for a tool of an agent.
 * 1. No program that a repository names is started: hooks, file system monitors, pagers, editors, signers, credential
 *    helpers. Agents write in repositories, and nobody has looked at that yet.
 * 2. Git talks to no server, waits for nobody and inherits no key.
 * 3. Git itself, and what it starts, is no program that lies where agents write.
 * 4. It ends within a limit, with all that it started.
 */

/** The directory in which git is called, and the environment, of which git gets what it needs. */
export interface GitPlace {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The git directory of a repository whose top is `cwd` and whose configuration members could write. */
  readonly gitDir?: string
  /** A scratch index instead of the tree's own. */
  readonly index?: string
  /** Text for the command's standard input. */
  readonly input?: string
  /** Milliseconds after which git is ended; ten minutes by default. */
  readonly limitMs?: number
}

/** The output and exit code of a git command. */
export interface GitEnd {
  /** Null when git could not be started or was ended. */
  readonly code: number | null
  readonly out: string
  readonly error: string
}

const usualLimit = 10 * 60_000

const settings = `core.hooksPath=/dev/null core.fsmonitor=false core.quotePath=false core.askPass= credential.helper=
  commit.gpgSign=false diff.external= gc.auto=0 maintenance.auto=false submodule.recurse=false`.split(/\s+/)

/** `args` with the settings that stand above those of all files. */
function withSettings(args: readonly string[], more: readonly string[] = []): string[] {
  return ['--no-pager', ...[...settings, ...more].flatMap((setting) => ['-c', setting]), ...args]
}

/** Runs git once and returns how it ended; nothing is thrown. */
export async function runGit(place: GitPlace, args: readonly string[], more: readonly string[] = []): Promise<GitEnd> {
  const { cwd, input, limitMs = usualLimit } = place
  const out: string[] = []
  const end = await runCommand(['git', ...withSettings(args, more)], {
    cwd,
    env: environment(place),
    signal: new AbortController().signal,
    timeoutMs: limitMs,
    onOutput: (text) => out.push(text),
    ...(input === undefined ? {} : { input }),
  })
  return { code: end.exitCode, out: out.join(''), error: wordsOf(end, limitMs) }
}

function wordsOf({ failure, stopped, errors }: CommandEnd, limitMs: number): string {
  if (failure !== null) return `git cannot be run: ${failure}`
  if (stopped !== null) return `it took longer than ${limitMs / 1000} seconds and was ended`
  return errors.trim()
}

const mostOutput = 2 ** 28

/** Runs git and returns the bytes that it printed, 256 MiB at most; none where git fails. */
export async function gitBytes(place: GitPlace, args: readonly string[]): Promise<Buffer> {
  const { cwd, input = '', limitMs = usualLimit } = place
  return new Promise((done) => {
    const options = {
      cwd,
      env: environment(place),
      timeout: limitMs,
      maxBuffer: mostOutput,
      encoding: 'buffer',
    } as const
    const child = execFile('git', withSettings(args), options, (error, out) => done(error ? Buffer.alloc(0) : out))
    child.stdin?.on('error', () => undefined).end(input)
  })
}

/** The commit that a directory stands on, or null outside a repository and before the first commit. */
export function gitHead(place: GitPlace): string | null {
  try {
    return execFileSync('git', withSettings(['rev-parse', '--verify', 'HEAD']), {
      cwd: place.cwd,
      env: environment(place),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return null
  }
}

/** Variables of git with which a person says who commits, and where the person's settings are. */
const personal = /^(GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)|GIT_CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)|EMAIL)$/

/** Others, like GIT_DIR, would make git act elsewhere: they stay out. */
function environment({ cwd, env, gitDir, index }: GitPlace): Record<string, string> {
  const known = Object.entries(childEnv({ ...env, TROUPE_TOOL_ENV: '' })).filter(([name]) => !name.startsWith('GIT_'))
  const said = Object.entries(env).flatMap(([name, value]) =>
    personal.test(name) && value !== undefined ? [[name, value] as const] : [],
  )
  return {
    ...systemEnv(Object.fromEntries([...known, ...said]), [cwd]),
    GIT_ALLOW_PROTOCOL: '',
    GIT_EDITOR: 'true',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
    ...(gitDir === undefined ? {} : { GIT_DIR: gitDir, GIT_WORK_TREE: cwd }),
    ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
  }
}
