import { execFileSync } from 'node:child_process'

/** The commit that the working directory stands on, or null outside a repository and before the first commit. */
export function gitHead(cwd: string): string | null {
  try {
    return execFileSync('git', ['rev-parse', '--verify', 'HEAD'], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return null
  }
}
