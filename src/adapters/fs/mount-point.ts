import { statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * The highest folder above a path that lies on the same disk: what `df` would name.
 * @param path absolute; of one that does not exist, where it would be
 * @example mountPoint('/home/ada/project/.troupe') // '/home'
 */
export function mountPoint(path: string): string {
  const above = dirname(path)
  if (above === path) return path
  const here = deviceOf(path)
  return here !== undefined && here !== deviceOf(above) ? path : mountPoint(above)
}

function deviceOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.dev
}
