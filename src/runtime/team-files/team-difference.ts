import { canonicalJson } from '../../adapters/teams/team-hash.ts'
import type { ResolvedTeam } from '../../protocol/team/team-card.ts'

/**
 * Says in words what one team has otherwise than another: the keys of the team, members that came or went, and of each
 * other member its keys. A model is named with what it was.
 *
 * @example teamDifferences(frozen, present) // ['budget', 'historian: prompt, model (openai/a, was anthropic/b)']
 */
export function teamDifferences(before: ResolvedTeam, after: ResolvedTeam): readonly string[] {
  const { members: earlier, ...was } = before
  const { members, ...is } = after
  const known = new Map(earlier.map((card) => [card.name, card]))
  const gone = earlier.filter(({ name }) => !members.some((card) => card.name === name))
  return [
    ...changedKeys(was, is).filter((key) => !ofTheFile.has(key)),
    ...gone.map(({ name }) => `${name} is gone`),
    ...members.flatMap((card) => {
      const old = known.get(card.name)
      if (!old) return [`${card.name} is new`]
      const keys = changedKeys(old, card).map((key) =>
        key === 'model' ? `model (${card.model}, was ${old.model})` : key,
      )
      return keys.length === 0 ? [] : [`${card.name}: ${keys.join(', ')}`]
    }),
  ]
}

const ofTheFile: ReadonlySet<string> = new Set(['file', 'hash', 'named'])

function changedKeys(was: object, is: object): readonly string[] {
  const [before, after] = [new Map(Object.entries(was)), new Map(Object.entries(is))]
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (key) => canonicalJson(before.get(key)) !== canonicalJson(after.get(key)),
  )
}
