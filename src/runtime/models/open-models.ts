import { dirname } from 'node:path'
import { openModel, type OpenedModel, type OpenModelOptions } from '../../adapters/models/catalog.ts'
import type { Providers } from '../../protocol/models/model.ts'
import type { ResolvedTeam } from '../../protocol/team/team-card.ts'
import type { ModelTimeouts } from '../../protocol/models/model-servers.ts'
import { modelsOf } from '../../rules/team/model-problems.ts'
import { pacedModels, type GateClock } from './rate-gates.ts'
import { openPricing, type Pricing } from './pricing.ts'

/** Where credentials and a person's own prices are looked up. */
export interface ModelSources {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** Providers beside the built-in ones. */
  readonly providers?: Providers | undefined
  readonly clock: GateClock
}

/** The models of a team by their full names, and what their answers cost. */
export interface OpenedModels {
  readonly models: ReadonlyMap<string, OpenedModel>
  readonly pricing: Pricing
}

/** Opens every model that a team names, each once; rejects with what is missing and how to give it. */
export async function openModels(
  team: ResolvedTeam,
  { env, home, providers, clock }: ModelSources,
): Promise<OpenedModels> {
  const shared = team.members.some(({ executor }) => executor !== 'in-process')
  const api = team.api === undefined ? {} : { api: team.api }
  const options = { baseDir: dirname(team.file), env, providers, ...api, patience: patienceOf(team.timeouts), shared }
  const paced = pacedModels(clock)
  const names = [...new Set(team.members.flatMap(modelsOf))]
  const [pricing, ...all] = await Promise.all([
    openPricing(home),
    ...names.map(async (name) => {
      const opened = await openModel(name, { ...options, users: usersOf(team, name) })
      return [name, paced(opened)] as const
    }),
  ])
  return { models: new Map(all), pricing }
}

function usersOf({ members }: ResolvedTeam, model: string): readonly string[] {
  return members.flatMap((member) => (modelsOf(member).includes(model) ? [member.name] : []))
}

function patienceOf(timeouts: ModelTimeouts = {}): NonNullable<OpenModelOptions['patience']> {
  const { connect_ms, first_byte_ms, idle_ms, progress_ms, total_ms } = timeouts
  const waits = {
    connectMs: connect_ms,
    firstByteMs: first_byte_ms,
    idleMs: idle_ms,
    progressMs: progress_ms,
    totalMs: total_ms,
  }
  return Object.fromEntries(Object.entries(waits).filter(([, ms]) => ms !== undefined))
}
