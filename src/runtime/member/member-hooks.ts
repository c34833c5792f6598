import { markVariable } from '../../adapters/process/end-process.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import { agentId } from '../../protocol/words/ids.ts'
import type { AgentDeps } from '../agent/agent-deps.ts'
import type { RunContext } from '../context/run-context.ts'
import { openHooks, type AgentHooks } from '../hooks/hook-engine.ts'
import type { MemberStore } from './member-store.ts'

/** The hooks of one member, and what they told it at its beginning. */
export interface MemberHooks extends AgentHooks {
  /** Tells the hooks that the member begins; what they say is told to the model. */
  begin(signal: AbortSignal): Promise<void>
  /** The words of hooks at the beginning. */
  words(): string
}

interface Member {
  readonly context: RunContext
  readonly card: MemberCard
  readonly leadTurn: { readonly leads: boolean }
}

/**
 * Opens the hooks of a member; null where none is configured.
 * @param rewake tells the member what a hook found out later
 */
export function openMemberHooks(
  { context, card, leadTurn: { leads } }: Member,
  store: MemberStore,
  rewake: (text: string) => void,
): MemberHooks | null {
  const { team, run, clock, workplace, policy, cwd, ownEnv } = context
  const id = leads ? {} : { agent_id: agentId(card.name, team.name), agent_type: card.name }
  const hooks = openHooks({
    hooks: context.hooks.inForce(),
    worker: !leads,
    cwd: workplace(card).cwd,
    project: cwd,
    env: ownEnv,
    credentials: context.hooks.credentials,
    // Programs carry the mark of this life, so that they are found when it ends without a word.
    marks: { [markVariable]: store.incarnation },
    common: () => ({
      session_id: run.id,
      transcript_path: run.journalFile(card.name),
      cwd: workplace(card).cwd,
      permission_mode: policy(card).mode,
      ...id,
    }),
    now: clock.now,
    note: (fact) => store.ledger.record([fact]),
    rewake,
  })
  if (hooks === null) return null
  let told = ''
  return {
    ...hooks,
    words: () => told,
    async begin(signal) {
      const event = leads ? 'SessionStart' : 'SubagentStart'
      if (!hooks.has(event)) return
      const source = store.conversation.messages.length === 0 ? 'startup' : 'resume'
      const moment = leads ? { value: source, fields: { source, model: card.model } } : { value: card.name, fields: {} }
      told = (await hooks.fire({ event, ...moment }, signal)).context.join('\n')
    },
  }
}

/** The dependencies with the words of hooks at the beginning in what the model is told first. */
export function withHookWords(deps: AgentDeps, hooks: MemberHooks | null): AgentDeps {
  if (hooks === null) return deps
  return {
    ...deps,
    get system() {
      return joined([deps.system, hooks.words()])
    },
  }
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n')
}
