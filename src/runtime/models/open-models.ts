import { dirname, join } from 'node:path'
import { openPaceFile } from '../../adapters/models/pace-log.ts'
import { openModel, type OpenedModel, type OpenModelOptions } from '../../adapters/models/catalog.ts'
import { ModelUnavailable } from '../../adapters/models/served/model-unavailable.ts'
import type { ProviderSpecs } from '../../protocol/words/provider-spec.ts'
import type { Settings } from '../../protocol/permissions/settings.ts'
import { providerGrant, trustedProviders } from '../../rules/settings/settings-trust.ts'
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
  /** Servers that the settings name, and what of the team's own a person trusts. */
  readonly servers: ProviderSpecs
  readonly clock: GateClock & { mint(): string; monotonic?(): number }
  /** The run's directory, where members in several processes share the limits of a provider. */
  readonly dir?: string
}

/** The servers that count in a run: those of the settings, and those of its team that a person trusts. */
export function serversOf(
  { providers = {} }: Pick<ResolvedTeam, 'providers'>,
  { providers: own = {}, trusted }: Pick<Settings, 'trusted'> & { readonly providers?: ProviderSpecs | undefined },
): ProviderSpecs {
  return { ...own, ...trustedProviders(providers, trusted) }
}

/** The models of a team by their full names, and what their answers cost. */
export interface OpenedModels {
  readonly models: ReadonlyMap<string, OpenedModel>
  readonly pricing: Pricing
}

/** Opens every model that a team names, each once; rejects with what is missing and how to give it. */
export async function openModels(
  team: ResolvedTeam,
  { env, home, providers, servers, clock, dir }: ModelSources,
): Promise<OpenedModels> {
  const shared = team.members.some(({ executor }) => executor !== 'in-process')
  const api = team.api === undefined ? {} : { api: team.api }
  const options = {
    baseDir: dirname(team.file),
    env,
    providers,
    servers,
    ...api,
    patience: { ...patienceOf(team.timeouts), ...(clock.monotonic ? { monotonic: clock.monotonic } : {}) },
    shared,
  }
  const paced =
    shared && dir !== undefined
      ? pacedModels(clock, (provider) => openPaceFile(join(dir, 'pace', `${provider}.jsonl`), clock.mint()))
      : pacedModels(clock)
  const names = [...new Set(team.members.flatMap(modelsOf))]
  for (const name of names) refuseUntrusted(name, team, servers)
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

/** Refuses an address that only the workspace names. */
function refuseUntrusted(name: string, { providers = {}, file }: ResolvedTeam, servers: ProviderSpecs): void {
  const provider = name.split('/', 1)[0] ?? name
  const spec = Object.hasOwn(providers, provider) ? providers[provider] : undefined
  if (spec === undefined || Object.hasOwn(servers, provider)) return
  const why = `${name}: the team file names the provider, and nobody trusts it here (${providerGrant([provider, spec]).text})`
  throw new ModelUnavailable('forbidden', why, `Trust it with troupe trust ${file}, or with --trust for one run`)
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
