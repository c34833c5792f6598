import { projectFolders } from '../../adapters/settings/settings-places.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import { memberSections } from '../../rules/prompt/member-sections.ts'
import type { MemberMcp } from '../mcp/member-mcp.ts'
import { contextSections } from '../prompt/context-sections.ts'
import { openPrompt, type AgentPrompt } from '../prompt/open-prompt.ts'
import type { MemberSkills } from './member-skills.ts'
import type { StartMemberOptions } from './member-deps.ts'

/** Opens the prompt of a member: its sections by its card, its context by the place where it works. */
export function memberPrompt(
  { context, card }: Pick<StartMemberOptions, 'context' | 'card'>,
  { mcp, skills }: { readonly mcp: MemberMcp | null; readonly skills: MemberSkills | null },
  note: (fact: Fact) => void,
): AgentPrompt {
  const { team, home, clock, workplace } = context
  const { cwd } = workplace(card)
  const volatile = () =>
    contextSections({
      cwd,
      home,
      folders: projectFolders(cwd, home),
      now: clock.now(),
      servers: mcp?.foreign().instructions ?? '',
      skills: skills?.sections(),
    })
  return openPrompt({ cached: memberSections(team, card), volatile, note })
}
