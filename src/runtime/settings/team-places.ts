import { isInside } from '../../rules/paths/path-inside.ts'
import type { ResolvedTeam } from '../../protocol/team/team-card.ts'

const lists = ['allow', 'ask', 'deny'] as const

/**
 * Where the rules of a team file stand, as `file:line` by rule. A rule that is found nowhere in the file any more, or that
 * a card brought along, has no entry: it is named with the file alone.
 *
 * @example (await teamPlaces(team, '/home/ann/shop'))['Bash(git push:*)'] // 'teams/review.yaml:9'
 */
export async function teamPlaces(team: ResolvedTeam, cwd: string): Promise<Readonly<Record<string, string>>> {
  const cards = [team, ...team.members]
  if (!cards.some(({ permissions }) => lists.some((list) => (permissions[list]?.length ?? 0) > 0))) return {}
  const [{ isSource, readSource }, { parseYaml }] = await Promise.all([
    import('../../adapters/teams/read-source.ts'),
    import('../../adapters/teams/yaml-source.ts'),
  ])
  const shown = isInside(cwd, team.file) ? team.file.slice(cwd.length + 1) : team.file
  const source = readSource(shown, team.file)
  if (!isSource(source)) return {}
  const yaml = parseYaml(shown, source.text)
  const owners = [[], ['coordinator'], ...team.members.map(({ card }) => ['workers', card])]
  const found = owners.flatMap((owner) => lists.flatMap((list) => yaml.texts([...owner, 'permissions', list])))
  // The first place of a rule that is there twice is the one that is named.
  return Object.fromEntries(found.toReversed().map(({ text, line }) => [text, `${shown}:${line}`]))
}
