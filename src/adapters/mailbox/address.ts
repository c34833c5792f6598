import { namePattern } from '../../protocol/ids.ts'
import { didYouMean } from '../../rules/did-you-mean.ts'

export type Resolved = { readonly name: string } | { readonly error: string }

/** Who can be written to. */
export interface Addressable {
  readonly team: string
  readonly roster: readonly string[]
}

/**
 * The member behind an address `name@team`. Names are compared exactly: no trimming, no change of case.
 * @returns the name, or an error that says what was meant and who can be addressed
 * @example resolveAddress('historian@release-notes', { team: 'release-notes', roster: ['lead', 'historian'] })
 */
export function resolveAddress(to: string, { team, roster }: Addressable): Resolved {
  const cut = to.lastIndexOf('@')
  const [name, itsTeam] = cut === -1 ? [to, team] : [to.slice(0, cut), to.slice(cut + 1)]
  if (itsTeam !== team) return { error: `${quote(to)} is not in this team: mail reaches members of ${team} only.` }
  if (namePattern.test(name) && roster.includes(name)) return { name }
  const guess = didYouMean(name.trim(), roster)
  const hint = guess === undefined ? '' : ` Did you mean ${quote(guess)}?`
  return { error: `No member is called ${quote(name)}.${hint} Members: ${roster.join(', ')}.` }
}

/** What a model wrote may be long or hold control characters. */
function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}
