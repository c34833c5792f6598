import type { z } from 'zod'
import type { Hook, HookLimits, hookSchema, HookSource, HookTable } from '../../protocol/hooks/hook.ts'
import type { Settings } from '../../protocol/permissions/settings.ts'
import type { MemberCard, ResolvedTeam } from '../../protocol/team/team-card.ts'
import type { ProviderSpecs } from '../../protocol/words/provider-spec.ts'
import type { Orders } from '../../protocol/work/orders.ts'
import { withinLimits } from '../../rules/hooks/http-limits.ts'
import { hookText, readHooks } from '../../rules/hooks/read-hooks.ts'
import { isTrusted, sentVariables } from '../../rules/settings/settings-trust.ts'

/** The hooks of a run, as one process has them. */
export interface RunHooks {
  /** The hooks that run for everybody, and those of a member's own card; the strongest source first. */
  inForce(card?: Pick<MemberCard, 'hooks'>): readonly Hook[]
  /** Other hooks, as far as they may run. */
  permitted(hooks: readonly Hook[]): readonly Hook[]
  /** Sources whose hooks are switched off. */
  off(): readonly HookSource[]
  limits(): HookLimits
  /** Variables that hooks exported to the commands of the run's agents in this process. */
  readonly exported: Map<string, string>
  /** Variables that hold keys of models: no hook is given them. */
  readonly credentials: ReadonlySet<string>
}

/** Hooks from elsewhere than settings files and team files. */
export interface BroughtHooks {
  /** Hooks of the program that runs the team. */
  readonly program?: HookTable | undefined
  /** Hooks of plugins whose text a person trusts, read by `readHooks` with the source `plugin`. */
  readonly plugins?: (() => readonly Hook[]) | undefined
}

type GivenHooks = Pick<Orders, 'hooks' | 'hooks_off' | 'hook_limits'>
type Followed = Pick<Settings, 'hooks' | 'hooksOff' | 'hookLimits' | 'trusted' | 'providers'>

/**
 * The hooks of a run that follows its settings. Those of a team file and of its cards count by their text, which a person
 * trusts.
 *
 * @throws TypeError for a hook of the program that is none
 * @example teamHooks(team, settings, { program: options.hooks }).inForce(card)
 */
export function teamHooks(
  team: Pick<ResolvedTeam, 'hooks' | 'providers'>,
  settings: { current(): Followed },
  { program, plugins }: BroughtHooks = {},
): RunHooks {
  const own = programHooks(program)
  const inForce = (card?: Pick<MemberCard, 'hooks'>): readonly Hook[] => {
    const { hooks, trusted } = settings.current()
    const written = [...(team.hooks ?? []), ...(card?.hooks ?? [])]
    const counting = written.filter((hook) => isTrusted(trusted, hookText(hook)))
    const others = [...counting, ...(plugins?.() ?? []), ...own]
    return others.length === 0 ? hooks : [...hooks, ...permitted(others)]
  }
  const off = (): readonly HookSource[] => settings.current().hooksOff
  const limits = (): HookLimits => settings.current().hookLimits
  const permitted = (others: readonly Hook[]): readonly Hook[] => permittedBy(others, off(), limits())
  const { providers } = settings.current()
  return { inForce, permitted, off, limits, exported: new Map(), credentials: keysOf([team.providers, providers]) }
}

function permittedBy(hooks: readonly Hook[], off: readonly HookSource[], limits: HookLimits): readonly Hook[] {
  return withinLimits(
    hooks.filter(({ source }) => !off.includes(source)),
    limits,
  )
}

const unbound = { urls: null, variables: null }

/** The hooks of a worker elsewhere, as the leader gave them. */
export function givenHooks(
  { hooks = [], hooks_off: off = [], hook_limits = { everybody: unbound, project: unbound } }: GivenHooks,
  providers: readonly (ProviderSpecs | undefined)[],
): RunHooks {
  const permitted = (others: readonly Hook[]): readonly Hook[] => permittedBy(others, off, hook_limits)
  const bounds = { off: () => off, limits: () => hook_limits }
  return { inForce: () => hooks, permitted, ...bounds, exported: new Map(), credentials: keysOf(providers) }
}

/** `programHooks({ Stop: [{ hooks: [{ type: 'function', run }] }] })` @throws TypeError saying what is wrong where */
export function programHooks(table: HookTable | undefined): readonly Hook[] {
  const { hooks, complaints } = readHooks(table, { source: 'program', at: (path) => path.join('.') })
  const [wrong] = complaints
  if (wrong !== undefined) throw new TypeError(`${wrong.path.join('.')}: ${wrong.message}`)
  return hooks
}

/** Variables that hold keys of models. */
export function keysOf(providers: readonly (ProviderSpecs | undefined)[]): ReadonlySet<string> {
  const specs = providers.flatMap((each) => Object.values(each ?? {}))
  return new Set(
    specs.flatMap(({ key, headers }) => [
      ...(typeof key === 'string' ? [key.replace(/^\$\{?|\}$/g, '')] : []),
      ...sentVariables({ headers: headers ?? {} }),
    ]),
  )
}

/**
 * Hooks that can be handed to another process: a function stays where it is. In the place of one that has to answer goes a
 * program that fails, so that nothing passes for its absence.
 */
export function portable(hooks: readonly Hook[]): readonly z.infer<typeof hookSchema>[] {
  return hooks.flatMap(({ spec, ...hook }) => {
    if (spec.type !== 'function') return [{ ...hook, spec }]
    const why = 'it is a function of the program, and this worker lives in a process of its own'
    const absent = { type: 'command', command: `echo '${why}' >&2; exit 1`, on_failure: 'deny' } as const
    return spec.on_failure === 'deny' ? [{ ...hook, spec: absent }] : []
  })
}
