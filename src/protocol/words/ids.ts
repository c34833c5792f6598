/** Names of teams and members, for patterns: lower case so that no two differ by case alone, and safe as a file name. */
export const nameSource = '[a-z][a-z0-9-]{0,63}'

export const namePattern = new RegExp(`^${nameSource}$`)

/** Names of tools: what the vendors of models take. */
export const toolNamePattern = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

/** The leader of a run: the owner of the team's journal and of the mailbox for asks about tasks. */
export const leaderName = 'team'

/** The address of everybody, `all@team`. */
export const everybody = 'all'

/** The sender outside the team: a person at the command line. */
export const personSender = 'user'

/** Names that mail and journals use for others than members. */
export const reservedNames: readonly string[] = [leaderName, everybody, personSender]

/** The digits of a ULID, in their order. */
export const ulidDigits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A ULID, for patterns. */
export const ulidSource = `[${ulidDigits}]{26}`

const outboxPattern = new RegExp(`^${personSender}-${ulidSource}$`)

/** The name of the box from which a person sends; it numbers its mail by itself. */
export function personOutbox(ulid: string): string {
  return `${personSender}-${ulid}`
}

export function isPersonOutbox(name: string): boolean {
  return outboxPattern.test(name)
}

/** A member's public identity, `name@team`: readable in a log, unique in a run. */
export type AgentId = `${string}@${string}`

const agentIdPattern = new RegExp(`^${nameSource}@${nameSource}$`)

export function isAgentId(value: unknown): value is AgentId {
  return typeof value === 'string' && agentIdPattern.test(value)
}

/** `agentId('historian', 'release-notes')` → `historian@release-notes`. */
export function agentId(name: string, team: string): AgentId {
  return `${name}@${team}`
}

/** The member's name inside its team: `memberName('historian@release-notes')` → `historian`. */
export function memberName(id: AgentId): string {
  return id.slice(0, id.indexOf('@'))
}

/** Milliseconds since the epoch. Machines receive it with events; only `runtime/actors/clock.ts` reads it. */
export type Millis = number
