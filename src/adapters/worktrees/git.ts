import { execFile } from 'node:child_process'

/** How git is called: where, and with which environment; nothing of git's own variables is passed on. */
export interface GitPlace {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** A scratch index instead of the tree's own. */
  readonly index?: string
  /** Text for the command's standard input. */
  readonly input?: string
}

/** The output and exit code of a git command. */
export interface GitEnd {
  /** Null when git could not be started. */
  readonly code: number | null
  readonly out: string
  readonly error: string
}

const mostOutput = 64 * 1024 * 1024

/** Runs git and returns how it ended; nothing is thrown. Variables like GIT_DIR would make it act elsewhere: they stay out. */
export function tryGit(place: GitPlace, ...args: readonly string[]): Promise<GitEnd> {
  const { promise, resolve } = Promise.withResolvers<GitEnd>()
  const options = { cwd: place.cwd, env: environment(place), maxBuffer: mostOutput, encoding: 'utf8' } as const
  const child = execFile('git', [...args], options, (error, out, said) => {
    const code = error === null ? 0 : numberOf(error.code)
    resolve({ code, out, error: code === null ? `git cannot be run: ${error?.message}` : said.trim() })
  })
  // A git that ended early no longer reads.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(place.input ?? '')
  return promise
}

/**
 * Runs git and returns what it printed, without the last line end.
 * @throws with git's own words when it fails
 * @example await git({ cwd: '/home/ann/shop', env }, 'rev-parse', 'HEAD')
 */
export async function git(place: GitPlace, ...args: readonly string[]): Promise<string> {
  const { code, out, error } = await tryGit(place, ...args)
  if (code === 0) return out.replace(/\n$/, '')
  throw new Error(`git ${args[0] ?? ''}: ${error === '' ? `it ended with code ${code}` : error}`)
}

/** A program that could not be started has a word for a code. */
function numberOf(code: unknown): number | null {
  return typeof code === 'number' ? code : null
}

function environment({ env, index }: GitPlace): NodeJS.ProcessEnv {
  const given = Object.entries(env).filter(([name]) => !name.startsWith('GIT_'))
  const own = { GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' }
  return { ...Object.fromEntries(given), ...own, ...(index === undefined ? {} : { GIT_INDEX_FILE: index }) }
}
