import { readInstructions } from '../../adapters/instructions/read-instructions.ts'
import { placeSections } from '../../rules/prompt/member-sections.ts'
import { volatileSection, type VolatileSection } from '../../rules/prompt/section.ts'

/** The sources of the sections that stand in a member's first user message. */
export interface ContextSources {
  readonly cwd: string
  readonly home: string
  /** The directories of the project, from its root down to there. */
  readonly folders: readonly string[]
  /** Milliseconds since 1970. */
  readonly now: number
  /** Words of the member's MCP servers. */
  readonly servers: string
  /** The index of what the member remembers. */
  readonly memory: string
  /** The parts about the member's skills. */
  readonly skills?: readonly VolatileSection[] | undefined
}

/** Every volatile section of a member, in order: what changes seldom stands first. A new one is a line here. */
export function contextSections({
  cwd,
  home,
  folders,
  now,
  memory,
  servers,
  skills = [],
}: ContextSources): readonly VolatileSection[] {
  return [
    ...placeSections(cwd, new Date(now).toISOString().slice(0, 10)),
    volatileSection(
      'instructions',
      'files of the project and of the user, which people edit',
      readInstructions({ folders, home }).text,
    ),
    volatileSection('memory', 'members and people remember and forget while a run goes on', memory),
    ...skills,
    volatileSection('servers', 'servers connect and say other words while a run goes on', servers),
  ]
}
