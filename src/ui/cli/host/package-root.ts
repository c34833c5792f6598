import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of this package, from wherever in it (sources or `dist`) this file runs. */
export function packageRoot(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder)
    if (parent === folder) throw new Error(`no package.json above ${import.meta.dirname}`)
    folder = parent
  }
  return folder
}

/** The version in this package's own `package.json`. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }
  return version
}

/** The Node versions this package runs on, as `package.json` has them. */
export const supportedNode = '^22.22.2 || ^24.15.0 || >=26'

/** Whether a Node version is one of them: `isSupportedNode('20.19.0')` → false. */
export function isSupportedNode(version: string): boolean {
  const parts = version.split('.').map(Number)
  const major = parts[0] || 0
  const minor = parts[1] || 0
  const patch = parts[2] || 0
  if (major === 22) return minor > 22 || (minor === 22 && patch >= 2)
  if (major === 24) return minor >= 15
  return major >= 26
}
