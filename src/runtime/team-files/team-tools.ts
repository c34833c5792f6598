import { dirname, join } from 'node:path'
import { builtinTools } from '../../adapters/tools/registry.ts'
import type { Settings } from '../../protocol/permissions/settings.ts'
import type { ResolvedTeam } from '../../protocol/team/team-card.ts'
import type { CodeToolCard } from '../../protocol/team/team-tools.ts'
import type { Tool } from '../../protocol/tools/tool.ts'
import { codeGrant, isTrusted, sentBy } from '../../rules/settings/settings-trust.ts'

export interface TeamToolSources {
  /** The part of the workspace that a person trusts. */
  readonly trusted: Settings['trusted']
  /** Where headers of HTTP tools find their values. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Tools that the program brings along. */
  readonly given?: readonly Tool[] | undefined
}

/**
 * The tools that a team and its program bring along, ready to be granted by name.
 *
 * @throws CodeToolError when a file of code is not trusted, was changed, or holds no tool
 * @example await openTeamTools(team, { trusted: settings.current().trusted, env: process.env })
 */
export async function openTeamTools(team: ResolvedTeam, sources: TeamToolSources): Promise<readonly Tool[]> {
  const { given = [] } = sources
  const taken = new Set([...builtinTools, ...given].map(({ name }) => name))
  const coded = (team.code_tools ?? []).filter(({ name }) => !taken.has(name))
  return [...(await calledTools(team, sources)), ...(await codedTools(team, coded, sources)), ...given]
}

/** Most teams bring none: what reads JSON Schemas is loaded for those that do. */
async function calledTools({ http_tools }: ResolvedTeam, { env, trusted }: TeamToolSources): Promise<readonly Tool[]> {
  const cards = Object.entries(http_tools ?? {})
  if (cards.length === 0) return []
  const { httpTool } = await import('../../adapters/tools/own/http-tool.ts')
  return cards.map(([name, card]) => {
    const sent = sentBy(name, card)
    return httpTool(name, card, { env, trusted: sent === null || isTrusted(trusted, sent) })
  })
}

async function codedTools(
  { file }: ResolvedTeam,
  cards: readonly CodeToolCard[],
  { trusted }: TeamToolSources,
): Promise<readonly Tool[]> {
  if (cards.length === 0) return []
  const { CodeToolError, loadCodeTool } = await import('../../adapters/tools/own/load-code-tool.ts')
  const loaded = cards.map(async (card) => {
    const path = join(dirname(file), card.file)
    if (isTrusted(trusted, codeGrant(card).text)) return loadCodeTool(card, path)
    throw new CodeToolError(
      `${path} is code that nobody trusted yet; look at it, then run troupe trust, or give --trust`,
    )
  })
  return Promise.all(loaded)
}
