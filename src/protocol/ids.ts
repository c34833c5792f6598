/** Names of teams and members: lower case so that no two differ by case alone, and safe as a file name. */
export const namePattern = /^[a-z][a-z0-9-]{0,63}$/

/** Names of tools: what the vendors of models take. */
export const toolNamePattern = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

/** The leader of a run: the owner of the team's journal and of the mailbox for asks about tasks. */
export const leaderName = 'team'

/** Names that mail and journals use for others than members: the leader, everybody, a person. */
export const reservedNames: readonly string[] = [leaderName, 'all', 'user']

/** A member's public identity, `name@team`: readable in a log, unique in a run. */
export type AgentId = `${string}@${string}`

const agentIdPattern = /^[a-z][a-z0-9-]{0,63}@[a-z][a-z0-9-]{0,63}$/

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

/** Milliseconds since the epoch. Machines receive it with events; only `runtime/clock.ts` reads it. */
export type Millis = number
