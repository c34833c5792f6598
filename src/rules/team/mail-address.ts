import { everybody, namePattern, ulidSource } from '../../protocol/words/ids.ts'
import { didYouMean } from '../tools/did-you-mean.ts'

/** The names that mail can be sent to. */
export interface Addressable {
  readonly team: string
  /** Names of the members. */
  readonly roster: readonly string[]
  /** The worker card of each member, by its name: a card with one member is an address too. */
  readonly roles?: Readonly<Record<string, string>> | undefined
  /** Owners of a box that are no members: mail reaches them by exact name, never by `all`. */
  readonly services?: readonly string[]
  /** The sender: `all` means everybody else. */
  readonly self?: string
}

export type Addressees =
  | { readonly names: readonly string[]; readonly incarnation?: string }
  /** Says what was meant and who can be addressed. */
  | { readonly error: string }

const incarnationPattern = new RegExp(`^${ulidSource}$`)

/**
 * The members behind an address: `name@team`, `all@team`, a role with one member, and `name@team#<incarnation>` for
 * mail that only one life of a member may see. Names are compared exactly: no trimming, no change of case.
 * @example addressees('historian@release-notes', { team: 'release-notes', roster: ['lead', 'historian'] })
 */
export function addressees(to: string, who: Addressable): Addressees {
  const fence = to.indexOf('#')
  const address = fence === -1 ? to : to.slice(0, fence)
  const incarnation = fence === -1 ? undefined : to.slice(fence + 1)
  const cut = address.lastIndexOf('@')
  if (cut !== -1 && address.slice(cut + 1) !== who.team)
    return {
      error: `${quote(to)} is not in this team: mail reaches members of ${who.team} only: ${who.roster.join(', ')}.`,
    }
  if (incarnation !== undefined && !incarnationPattern.test(incarnation))
    return { error: `${quote(to)} names no incarnation: what follows # is a ULID.` }
  const names = namesOf(cut === -1 ? address : address.slice(0, cut), who)
  if (typeof names === 'string') return { error: names }
  if (incarnation === undefined) return { names }
  return names.length === 1 ? { names, incarnation } : { error: 'An incarnation belongs to one member.' }
}

function namesOf(name: string, { roster, roles = {}, services = [], self }: Addressable): readonly string[] | string {
  if (namePattern.test(name) && (roster.includes(name) || services.includes(name))) return [name]
  if (name === everybody) {
    const others = roster.filter((member) => member !== self)
    return others.length > 0 ? others : 'There is nobody else in this team.'
  }
  const players = roster.filter((member) => roles[member] === name)
  if (players.length === 1) return players
  if (players.length > 1) return `${quote(name)} is what ${players.join(', ')} are: name one of them.`
  const guess = didYouMean(name.trim(), [...roster, ...Object.values(roles)])
  const hint = guess === undefined ? '' : ` Did you mean ${quote(guess)}?`
  return `No member is called ${quote(name)}.${hint} Members: ${roster.join(', ')}.`
}

/** A model's text in quotes: it may be long or hold control characters. */
function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}
