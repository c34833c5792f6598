import { statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * The highest folder above a path that lies on the same disk: what `df` would name.
 * @param path must exist; absolute
 * @example mountPoint('/home/ada/project/.troupe') // '/home'
 */
export function mountPoint(path: string): string {
  const above = dirname(path)
  return above === path || statSync(above).dev !== statSync(path).dev ? path : mountPoint(above)
}
