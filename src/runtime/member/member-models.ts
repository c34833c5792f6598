import type { Model } from '../../protocol/models/model.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import type { AgentAdvisor } from '../agent/advisor.ts'
import type { RunContext } from '../context/run-context.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import type { ModelAccess } from '../agent/agent-deps.ts'
import { openModelAccess } from '../agent/compose-agent.ts'
import { openModels, serversOf } from '../models/open-models.ts'
import { retryLimits } from '../../rules/team/retry-policy.ts'
import type { Member } from './called-commands.ts'
import type { MemberStore } from './member-store.ts'

type Helpers = Pick<RunContext, 'models' | 'budgets'>

/** Opens the way to a member's models; a command in use may name another one. */
export function modelAccessOf({ context, card }: Member, store: MemberStore): ModelAccess {
  const { models, team } = context
  const chain = [card.model, ...(card.fallback ?? [])].map((name) => modelOf(models, name))
  const stronger = card.escalate ? modelOf(models, card.escalate.model) : null
  const access = openModelAccess({ ...answering({ context, card }), models: chain, stronger }, store)
  const own = { ...access, runaway: card.budget.runaway ?? team.budget.runaway }
  return withCommandModel({ context, card }, store, own)
}

/** The options that all models of a member share. */
function answering({ context, card }: Member) {
  const { team, budgets, pricing, breakers, clock } = context
  const limits = retryLimits(team)
  return { limits, thinking: card, allowance: budgets.allowance(card), pricing, breakers, clock }
}

function modelOf(models: RunContext['models'], name: string): Model {
  const model = models.get(name)
  if (!model) throw new Error(`${name} was not opened`)
  return model
}

/** The model that a member may ask for advice. */
export function memberAdvisor({ models, budgets }: Helpers, card: MemberCard): AgentAdvisor | null {
  const { advisor: plan } = card
  if (!plan) return null
  const limited = budgets.allowance(card) !== null
  return { plan, model: modelOf(models, plan.model), own: modelOf(models, card.model), limited }
}

/**
 * The way to a member's models, by the model that a command in use names as long as its work lasts. One warning
 * names a model that cannot be opened; then the member's own model answers, also after the command's model was given up.
 */
function withCommandModel({ context, card }: Member, store: MemberStore, own: ModelAccess): ModelAccess {
  const ways = new Map<string, Promise<ModelAccess | null>>()
  const wayTo = (name: string): Promise<ModelAccess | null> => {
    const way = ways.get(name) ?? opened({ context, card }, store, { own, name })
    ways.set(name, way)
    return way
  }
  return {
    ...own,
    recovery: {
      async ask(request, asking) {
        const name = store.skills.used.findLast(({ model }) => model !== undefined)?.model ?? asking.model
        const way = name === asking.model ? null : await wayTo(name)
        if (way === null) return own.recovery.ask(request, asking)
        const answered = await way.recovery.ask(request, { ...asking, model: name })
        if (answered.kind === 'fallback') ways.set(name, Promise.resolve(null))
        return answered
      },
    },
  }
}

interface Wanted {
  readonly own: ModelAccess
  readonly name: string
}

async function opened(
  { context, card }: Member,
  store: MemberStore,
  { own, name }: Wanted,
): Promise<ModelAccess | null> {
  const { team, ownEnv: env, home, clock, settings, trusted, run, models } = context
  const servers = serversOf(team, { trusted: trusted(), providers: settings?.current().providers })
  try {
    const sources = { env, home, clock, servers, dir: run.dir }
    const found =
      models.get(name) ?? (await openModels({ ...team, members: [{ ...card, model: name }] }, sources)).models.get(name)
    if (found === undefined) return null
    const stands = [card.model, ...(card.fallback ?? [])].flatMap((each) => own.modelOf(each) ?? [])
    return openModelAccess({ ...answering({ context, card }), models: [found, ...stands], stronger: null }, store)
  } catch (error) {
    const message = `the command's model ${name} cannot be used, ${card.model} answers: ${errorText(error)}`
    own.note({ type: 'warning.raised', code: 'command_model', message })
    return null
  }
}
