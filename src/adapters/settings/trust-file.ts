import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { errorCode } from '../fs/error-code.ts'
import { parseJson } from '../fs/parse-json.ts'
import { replaceFile } from '../fs/replace-file.ts'
import { resolveReal } from '../fs/resolve-real.ts'
import { projectFolders } from './settings-places.ts'

/*
 * `~/.troupe/trust.json`: what a person let workspaces open, word for word. A rule that changes by one letter is another
 * rule and is asked about again; nothing else in a workspace's files can make itself trusted.
 * Owns the file. Never decides what needs trust.
 */

const trustFileSchema = z.strictObject({
  spec: z.literal(1),
  workspaces: z.record(z.string(), z.array(z.string())),
})

/** Trusted texts, by the real path of each workspace's root. */
export type Trust = ReadonlyMap<string, readonly string[]>

export interface TrustRead {
  readonly trust: Trust
  /** Why the file counts for nothing, or null. */
  readonly problem: string | null
}

const maxBytes = 4 * 1024 * 1024

/** Where the trust of a person is kept: `trustPath('/home/ann')`. */
export function trustPath(home: string): string {
  return join(home, '.troupe', 'trust.json')
}

/** The name a workspace is trusted under: the real path of its project's root. */
export function workspaceOf(cwd: string, home: string): string {
  return resolveReal(projectFolders(cwd, home)[0] ?? cwd)
}

/** Reads what is trusted. A file that cannot be believed trusts nothing. */
export function readTrust(home: string): TrustRead {
  const path = trustPath(home)
  const nothing = (problem: string | null): TrustRead => ({ trust: new Map(), problem })
  try {
    if (!existsSync(path)) return nothing(null)
    const status = statSync(path)
    if (!status.isFile() || status.size > maxBytes) return nothing(`${path} is no small regular file`)
    const parsed = trustFileSchema.safeParse(parseJson(readFileSync(path, 'utf8')))
    if (!parsed.success) return nothing(`${path} is not what troupe trust writes; remove it and trust again`)
    return { trust: new Map(Object.entries(parsed.data.workspaces)), problem: null }
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return nothing(`${path} cannot be read: ${String(error)}`)
  }
}

/**
 * Remembers that a person trusts these texts in a workspace, beside those trusted before.
 *
 * @throws what the disk says; a file that cannot be read is not overwritten
 */
export function rememberTrust(home: string, workspace: string, texts: readonly string[]): void {
  rewrite(home, (trust) => trust.set(workspace, [...new Set([...(trust.get(workspace) ?? []), ...texts])]))
}

/** Forgets some texts in a workspace. */
export function forgetTrust(home: string, workspace: string, isForgotten: (text: string) => boolean): void {
  rewrite(home, (trust) => {
    const kept = (trust.get(workspace) ?? []).filter((text) => !isForgotten(text))
    if (kept.length === 0) trust.delete(workspace)
    else trust.set(workspace, kept)
  })
}

/** Forgets a workspace; says whether there was something to forget. */
export function revokeTrust(home: string, workspace: string): boolean {
  let known = false
  rewrite(home, (trust) => {
    known = trust.delete(workspace)
  })
  return known
}

function rewrite(home: string, change: (trust: Map<string, readonly string[]>) => void): void {
  const { trust, problem } = readTrust(home)
  if (problem !== null) throw new Error(problem)
  const next = new Map(trust)
  change(next)
  const path = trustPath(home)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  replaceFile(path, `${JSON.stringify({ spec: 1, workspaces: Object.fromEntries(next) }, null, 2)}\n`)
}
