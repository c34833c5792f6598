import type { Fact } from '../../protocol/facts/fact.ts'
import type { Hook, HookAnswer } from '../../protocol/hooks/hook.ts'
import { leaderName } from '../../protocol/words/ids.ts'
import { hookLabel } from '../../rules/hooks/read-hooks.ts'
import { textStore } from '../../adapters/sessions/text-store.ts'
import type { RunContext } from '../context/run-context.ts'
import { openHooks, type AgentHooks } from '../hooks/hook-engine.ts'
import type { HookAsk, HookMoment } from '../hooks/hook-place.ts'
import { watchConfig, watchNamedFiles } from '../hooks/file-hooks.ts'
import type { Ledger } from '../journals/ledger.ts'
import { leadMcp } from './lead-mcp.ts'
import { teamEvents, teamMoments } from './team-events.ts'

/** The hooks of a team as a whole, which hear what happens to all of it. */
export interface HookWatch extends HookAsk {
  /** Hears nothing more, and resolves when every hook has ended. */
  close(): Promise<void>
  /** Ends the hooks that run. */
  drop(): void
}

type Watched = Pick<RunContext, 'facts' | 'hooks' | 'team' | 'run' | 'cwd' | 'ownEnv' | 'clock' | 'settings'>

/** Tells the hooks of a team what happens; null where no hook wants to hear of that, so that nobody listens. */
function watchHooks(context: Watched, record: Ledger['record']): HookWatch | null {
  const { facts, team } = context
  const watching = context.hooks.inForce().filter(({ event }) => teamEvents.has(event))
  if (watching.length === 0) return null
  const hooks = hooksOf(watching, context, record)
  const [going, leave] = [new Set<Promise<unknown>>(), new AbortController()]
  const tell = (moment: HookMoment): void => {
    if (!hooks.has(moment.event)) return
    const telling = hooks.fire(moment, leave.signal).catch(() => undefined)
    going.add(telling)
    void telling.then(() => going.delete(telling))
  }
  const ask = (moment: HookMoment): Promise<HookAnswer> => hooks.fire(moment, leave.signal)
  const ends = [
    facts.subscribe(teamMoments(team.coordinator, tell)),
    watchNamedFiles(watching, context.cwd, { ask }),
    ...(context.settings === null ? [] : [watchConfig(context.settings, { ask, tell, hooks, record })]),
  ]
  const drop = (): void => {
    for (const end of ends.splice(0)) end()
    leave.abort()
    hooks.close()
  }
  return {
    ask,
    async close() {
      await Promise.all(going)
      drop()
    },
    drop,
  }
}

function hooksOf(
  watching: readonly Hook[],
  { hooks: { credentials, exported }, run, cwd, ownEnv, clock }: Watched,
  record: Ledger['record'],
): AgentHooks {
  const texts = textStore(run.artifacts)
  return openHooks({
    hooks: () => watching,
    worker: false,
    cwd,
    project: cwd,
    env: ownEnv,
    credentials,
    exported,
    marks: {},
    common: () => ({
      session_id: run.id,
      transcript_path: run.journalFile(leaderName),
      cwd,
      permission_mode: 'default',
    }),
    now: clock.now,
    mint: clock.mint,
    note: (fact) => record([fact]),
    keep: (text) => texts.put(text).path,
  })
}

/** The MCP servers of a team, and its hooks. */
export function serversAndHooks(
  context: RunContext,
  record: Ledger['record'],
): {
  readonly broker: ReturnType<typeof leadMcp>
  readonly hooks: HookWatch | null
} {
  record(unreached(context))
  return { broker: leadMcp(context, record), hooks: watchHooks(context, record) }
}

/** Says which hooks of the program some workers do not have: a function does not leave its process. */
function unreached({ hooks, team }: Pick<RunContext, 'hooks' | 'team'>): readonly Fact[] {
  const away = team.members.flatMap(({ name, executor }) => (executor === 'in-process' ? [] : [name]))
  const functions = hooks.inForce().filter(({ spec, event }) => spec.type === 'function' && !teamEvents.has(event))
  if (away.length === 0 || functions.length === 0) return []
  const names = functions.map((hook) => `${hookLabel(hook)} (${hook.event})`).join(', ')
  const message = `hooks that are functions of the program do not run for ${away.join(', ')}, which live in processes of their own: ${names}; with on_failure "deny" they deny there`
  return [{ type: 'warning.raised', code: 'hook', message }]
}
