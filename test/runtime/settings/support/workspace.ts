import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A project, a home and a place for the managed policy, gone after the test. */
export interface Workspace {
  readonly cwd: string
  readonly home: string
  readonly policyRoot: string
  /** Writes a file of JSON, or of text, by its path below one of the three. */
  write(path: string, content: unknown): string
}

/** Paths of the settings files, as `write` takes them. */
export const settingsPaths = {
  policy: 'policy/policy.json',
  project: 'shop/.troupe/settings.json',
  local: 'shop/.troupe/settings.local.json',
  user: 'home/.troupe/settings.json',
} as const

export function workspace(): Workspace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-settings-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const write = (path: string, content: unknown): string => {
    const file = join(root, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(
      file,
      typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content),
    )
    return file
  }
  for (const folder of ['shop', 'home', 'policy']) mkdirSync(join(root, folder))
  return { cwd: join(root, 'shop'), home: join(root, 'home'), policyRoot: join(root, 'policy'), write }
}
