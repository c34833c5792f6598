import { cardOfModel } from './team-edits.ts'
import type { MemberCard, UnhashedTeam } from '../../protocol/team/team-card.ts'

/** Models and other values from outside of the team file, which stand for those in it. */
export type NamedModels = NonNullable<UnhashedTeam['named']>

/**
 * The team with these models for every member. One model stands for itself alone: for the advisor as well, with no other
 * to fall back or to turn to. A list of models to fall back to leaves the rest as it is. A member whose own model was named
 * outside of the file keeps that.
 *
 * @example withModels(team, { model: 'anthropic/…', fallback: ['openai/…'] })
 */
export function withModels<Team extends UnhashedTeam>(team: Team, named: NamedModels): Team {
  const { model, fallback, with: edits = team.named?.with } = named
  if (model === undefined && fallback === undefined && edits === team.named?.with) return team
  const own = new Set(edits?.map(cardOfModel))
  const isOwn = ({ name, card, role }: MemberCard): boolean =>
    own.has(card) || own.has(name) || (role === 'coordinator' && own.has('coordinator'))
  return {
    ...team,
    named: { ...team.named, ...(model === undefined ? {} : { fallback: undefined }), ...named },
    members: team.members.map((card) => (isOwn(card) ? card : answeredBy(card, named))),
  }
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
