import type { MemberCard, UnhashedTeam } from '../../protocol/team/team-card.ts'

/** Models from outside of the team file, which stand for those in it. */
export type NamedModels = NonNullable<UnhashedTeam['named']>

/**
 * The team with these models for every member. One model stands for itself alone: for the advisor as well, with no other
 * to fall back or to turn to. A list of models to fall back to leaves the rest as it is.
 *
 * @example withModels(team, { model: 'anthropic/…', fallback: ['openai/…'] })
 */
export function withModels<Team extends UnhashedTeam>(team: Team, named: NamedModels): Team {
  if (named.model === undefined && named.fallback === undefined) return team
  const all = named.model === undefined ? { ...team.named, ...named } : named
  return { ...team, named: all, members: team.members.map((card) => answeredBy(card, named)) }
}

function answeredBy(card: MemberCard, { model, fallback }: NamedModels): MemberCard {
  const stand = fallback === undefined ? {} : { fallback: [...fallback] }
  if (model === undefined) return { ...card, ...stand }
  const { advisor, memory } = card
  const others = Object.fromEntries(Object.entries(card).filter(([key]) => key !== 'fallback' && key !== 'escalate'))
  return {
    ...(others as MemberCard),
    ...stand,
    model,
    ...(advisor === undefined ? {} : { advisor: { ...advisor, model } }),
    ...(memory?.extract ? { memory: { ...memory, extract: { ...memory.extract, model } } } : {}),
  }
}
