import { matchesText } from './rule.ts'

/**
 * Says whether a pattern covers a host: `*` covers any, `*.example.com` what lies below, any other star stands inside of
 * one label.
 *
 * @param host In small letters, without a final dot.
 * @example coversHost('*.example.com', 'a.b.example.com') // true
 */
export function coversHost(pattern: string, host: string): boolean {
  if (pattern === '*') return true
  if (pattern.startsWith('*.')) {
    const labels = host.split('.')
    return labels.some((_label, i) => i > 0 && coversHost(pattern.slice(2), labels.slice(i).join('.')))
  }
  const wanted = pattern.split('.')
  const given = host.split('.')
  return wanted.length === given.length && wanted.every((label, i) => matchesText(label, given[i] ?? ''))
}
