import type { MemberCard } from '../../protocol/team/team-card.ts'
import { cardPath, nameHint, type TeamProblem } from './team-problem.ts'

/** Why a script cannot be played. */
export interface WrongScript {
  readonly message: string
  readonly hint: string
}

/** Which models this machine can reach. */
export interface KnownModels {
  readonly providers: readonly string[]
  /** By provider; those that need none are absent. */
  readonly credentials: Readonly<Record<string, { readonly variable: string; readonly present: boolean }>>
  /** By model; those that are right, or were not looked at, are absent. */
  readonly scripts?: Readonly<Record<string, WrongScript>>
}

/** Every model that may have to answer for a member, or help it. */
export function modelsOf({ model, fallback = [], advisor, escalate, memory }: MemberCard): readonly string[] {
  return [model, ...fallback, ...[advisor, escalate, memory?.extract].flatMap((help) => help?.model ?? [])]
}

/** Models that nobody can be reached by, once for each; those that only help are looked at as well. */
export function modelProblems(cards: readonly MemberCard[], known: KnownModels): TeamProblem[] {
  const helpers = cards.flatMap((member) =>
    (['advisor', 'escalate', 'memory'] as const).flatMap((key) => {
      const model = (key === 'memory' ? member.memory?.extract : member[key])?.model
      return model === undefined ? [] : modelProblem({ model, users: [member.card] }, [...cardPath(member), key], known)
    }),
  )
  return [...answerers(cards, 'model', known), ...answerers(cards, 'fallback', known), ...helpers]
}

function answerers(cards: readonly MemberCard[], key: 'model' | 'fallback', known: KnownModels): TeamProblem[] {
  const held = ({ model, fallback = [] }: MemberCard): readonly string[] => (key === 'model' ? [model] : fallback)
  const models = [...new Set(cards.flatMap(held))].filter((model) => model !== '')
  return models.flatMap((model) => {
    const users = cards.filter((member) => held(member).includes(model))
    const [first] = users
    const path = users.length > 1 || first === undefined ? [key] : [...cardPath(first), key]
    return modelProblem({ model, users: users.map(({ card }) => card) }, path, known)
  })
}

/** A model, and the cards that have it. */
interface UsedModel {
  readonly model: string
  readonly users: readonly string[]
}

function modelProblem({ model, users }: UsedModel, path: TeamProblem['path'], known: KnownModels): TeamProblem[] {
  const provider = model.split('/', 1)[0] ?? ''
  if (!known.providers.includes(provider)) {
    const message = `there is no model provider "${provider}"`
    const all = `there are ${known.providers.join(', ')}; those of a project count once they are trusted (troupe trust)`
    const isNamed = model.includes('/')
    const hint = isNamed ? nameHint(provider, known.providers, all) : `write provider/model: troupe models ${model}`
    return [{ severity: 'error', code: 'unknown_provider', message, path, hint }]
  }
  const wrong = known.scripts?.[model]
  if (wrong) return [{ severity: 'error', code: 'bad_script', path, ...wrong }]
  const credential = Object.hasOwn(known.credentials, provider) ? known.credentials[provider] : undefined
  if (credential === undefined || credential.present) return []
  const message = `${model} needs ${credential.variable}, which is not set (the model of ${users.join(', ')})`
  const hint = `set ${credential.variable}, or try the quickstart team, which needs no key`
  return [{ severity: 'warning', code: 'missing_credential', message, path, hint }]
}
