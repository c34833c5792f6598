import type { MemberCard } from '../../protocol/team/team-card.ts'
import { placeSections } from '../../rules/prompt/member-sections.ts'
import { volatileSection, type VolatileSection } from '../../rules/prompt/section.ts'

/** The sources of the sections that stand in a member's first user message. */
export interface ContextSources {
  readonly card: MemberCard
  readonly cwd: string
  readonly home: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** Words of the member's MCP servers. */
  readonly servers: string
}

/** Every volatile section of a member, in order: what changes seldom stands first. A new one is a line here. */
export function contextSections({ cwd, now, servers }: ContextSources): readonly VolatileSection[] {
  return [
    ...placeSections(cwd, new Date(now).toISOString().slice(0, 10)),
    volatileSection('servers', 'servers connect and say other words while a run goes on', servers),
  ]
}
