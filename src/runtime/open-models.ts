import { dirname } from 'node:path'
import { openModel, type OpenedModel } from '../adapters/models/catalog.ts'
import type { ResolvedTeam } from '../protocol/team-card.ts'

/** Opens every model that a team names, each once; rejects with what is missing and how to give it. */
export async function openModels(
  team: ResolvedTeam,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ReadonlyMap<string, OpenedModel>> {
  const baseDir = dirname(team.file)
  const names = [...new Set(team.members.map(({ model }) => model))]
  const opened = await Promise.all(names.map(async (name) => [name, await openModel(name, { baseDir, env })] as const))
  return new Map(opened)
}
