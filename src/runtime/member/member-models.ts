import { getOrMake } from '../../projections/fold/fold.ts'
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

/** The way to a member's models, and to others that people choose for it. */
export interface MemberModels {
  readonly access: ModelAccess
  /** Opens a model that the card does not name, once. @returns why it cannot be used; null where it can */
  open(name: string): Promise<string | null>
}

/** Opens the way to a member's models; a command in use may name another one, and a person may choose one. */
export function openMemberModels({ context, card }: Member, store: MemberStore): MemberModels {
  const { models, team } = context
  const chain = [card.model, ...(card.fallback ?? [])].map((name) => modelOf(models, name))
  const stronger = card.escalate ? modelOf(models, card.escalate.model) : null
  const access = openModelAccess({ ...answering({ context, card }), models: chain, stronger }, store)
  const own = { ...access, runaway: card.budget.runaway ?? team.budget.runaway }
  return withOthers({ context, card }, store, own)
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
 * The same with models that the card does not name. A command's model answers as long as its work lasts, one that a person
 * chose in place of the card's own. One warning names a model that cannot be opened; the member's own answers then, and
 * also after another one was given up.
 */
function withOthers({ context, card }: Member, store: MemberStore, own: ModelAccess): MemberModels {
  const ways = new Map<string, Promise<Way>>()
  const open = new Map<string, ModelAccess>()
  const wayTo = (name: string): Promise<Way> =>
    getOrMake(ways, name, async () => {
      const way = await opened({ context, card }, store, { own, name })
      if ('access' in way) open.set(name, way.access)
      return way
    })
  const warn = warnOnce(own, card)
  const isOpen = async (name: string): Promise<boolean> => warn(name, await wayTo(name))
  const access: ModelAccess = {
    ...own,
    modelOf: (name) => own.modelOf(name) ?? open.get(name)?.modelOf(name),
    async instead(model) {
      const ofCommand = store.skills.used.findLast((used) => used.model !== undefined)?.model
      const name = ofCommand ?? (model === card.model ? store.chosen.model : null) ?? model
      return own.modelOf(name) !== undefined || (await isOpen(name)) ? name : model
    },
    recovery: {
      async ask(request, asking) {
        const other = own.modelOf(asking.model) === undefined ? open.get(asking.model) : undefined
        if (other === undefined) return own.recovery.ask(request, asking)
        const answered = await other.recovery.ask(request, asking)
        if (answered.kind === 'fallback') ways.set(asking.model, Promise.resolve({ trouble: 'it was given up' }))
        return answered
      },
    },
  }
  return {
    access,
    async open(name) {
      if (own.modelOf(name) !== undefined) return null
      const way = await wayTo(name)
      return 'trouble' in way ? way.trouble : null
    },
  }
}

/** Whether a model is open; of one that cannot be used a warning tells once. */
function warnOnce({ note }: ModelAccess, { model }: MemberCard): (name: string, way: Way) => boolean {
  const told = new Set<string>()
  return (name, way) => {
    if ('access' in way) return true
    const message = `${name} cannot be used, ${model} answers: ${way.trouble}`
    if (!told.has(name)) note({ type: 'warning.raised', code: 'command_model', message })
    told.add(name)
    return false
  }
}

/** A model that the card does not name: the way to it, or why there is none. */
type Way = { readonly access: ModelAccess } | { readonly trouble: string }

interface Wanted {
  readonly own: ModelAccess
  readonly name: string
}

async function opened({ context, card }: Member, store: MemberStore, { own, name }: Wanted): Promise<Way> {
  const { team, ownEnv: env, home, clock, settings, trusted, run, models } = context
  const servers = serversOf(team, { trusted: trusted(), providers: settings?.current().providers })
  try {
    const sources = { env, home, clock, servers, dir: run.dir }
    const found =
      models.get(name) ?? (await openModels({ ...team, members: [{ ...card, model: name }] }, sources)).models.get(name)
    if (found === undefined) return { trouble: 'there is no such model' }
    const stands = [card.model, ...(card.fallback ?? [])].flatMap((each) => own.modelOf(each) ?? [])
    const given = { ...answering({ context, card }), models: [found, ...stands], stronger: null }
    return { access: openModelAccess(given, store) }
  } catch (error) {
    return { trouble: errorText(error) }
  }
}
