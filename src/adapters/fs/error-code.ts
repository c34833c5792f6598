/**
 * The system's code of a caught error (`ENOENT`, `EEXIST` …), or undefined when it carries none.
 * @example if (errorCode(error) !== 'ENOENT') throw error
 */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
