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
