import { readInstructions } from '../../adapters/instructions/read-instructions.ts'
import { projectFolders } from '../../adapters/settings/settings-places.ts'
import { currentDirectory } from '../../adapters/tools/shell/shell.ts'
import { logOf } from '../../rules/conversation/context-window.ts'
import { tellInstructions } from '../hooks/instruction-hooks.ts'
import { markVariable } from '../../adapters/process/end-process.ts'
import { agentId } from '../../protocol/words/ids.ts'
import { createAgent } from '../agent/create-agent.ts'
import { hookRunners } from '../hooks/hook-runners.ts'
import { textStore } from '../../adapters/sessions/text-store.ts'
import type { Hook } from '../../protocol/hooks/hook.ts'
import type { AgentDeps } from '../agent/agent-deps.ts'
import { openHooks, type AgentHooks } from '../hooks/hook-engine.ts'
import type { HookPlace } from '../hooks/hook-place.ts'
import type { MemberMcp } from '../mcp/member-mcp.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import type { RunContext } from '../context/run-context.ts'
import type { TeamReach } from '../reach/team-port.ts'
import type { AgentSkills } from '../skills/agent-skills.ts'
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
  readonly actions: Pick<TeamReach, 'tasks'>
}

/** The parts of a member that its hooks work with. */
interface Beside {
  readonly skills: Pick<AgentSkills, 'hooks' | 'mayHook'> | null
  readonly mcp: Pick<MemberMcp, 'foreign'> | null
  readonly deps: () => AgentDeps
  /** Tells the member what a hook found out later. */
  rewake(text: string): void
}

/** Opens the hooks of a member; null where none is configured. */
export function openMemberHooks(member: Member, store: MemberStore, beside: Beside): MemberHooks | null {
  const { context, card, leadTurn } = member
  const { skills } = beside
  const inForce = context.hooks.inForce(card)
  if (inForce.length === 0 && skills?.mayHook() !== true) return null
  const { leads } = leadTurn
  const brought = (): readonly Hook[] => context.hooks.permitted(skills?.hooks() ?? [])
  const hooks = openHooks({
    ...placeOf(member, store, beside),
    hooks: skills === null ? () => inForce : () => [...inForce, ...brought()],
  })
  let told = ''
  const { team, run, home, workplace } = context
  return {
    ...hooks,
    team: {
      name: team.name,
      transcript: run.journalFile(card.name),
      task: (id) => member.actions.tasks?.board.tasks.get(id),
    },
    words: () => told,
    async begin(signal) {
      const event = leads ? 'SessionStart' : 'SubagentStart'
      if (hooks.has('InstructionsLoaded')) {
        const { cwd } = workplace(card)
        const { seen } = readInstructions({ folders: projectFolders(cwd, home), home })
        void tellInstructions(hooks, [...seen], { home, reason: 'session_start' })
      }
      if (!hooks.has(event)) return
      const source = store.conversation.messages.length === 0 ? 'startup' : 'resume'
      const moment = leads ? { value: source, fields: { source, model: card.model } } : { value: card.name, fields: {} }
      told = (await hooks.fire({ event, ...moment }, signal)).context.join('\n')
    },
  }
}

function placeOf(
  { context, card, leadTurn: { leads } }: Member,
  store: MemberStore,
  { mcp, deps, rewake }: Beside,
): Omit<HookPlace, 'hooks'> {
  const { team, run, clock, workplace, policy, cwd, ownEnv, deltas } = context
  const id = leads ? {} : { agent_id: agentId(card.name, team.name), agent_type: card.name }
  const effort = card.effort === undefined ? {} : { effort: { level: card.effort } }
  const texts = textStore(run.artifacts)
  return {
    worker: !leads,
    cwd: workplace(card).cwd,
    project: cwd,
    env: ownEnv,
    ...givenBy(context),
    // Programs carry the mark of this life, so that they are found when it ends without a word.
    marks: { [markVariable]: store.incarnation },
    common: () => ({
      session_id: run.id,
      ...promptIdOf(store),
      transcript_path: run.journalFile(team.coordinator),
      cwd: currentDirectory({ cwd: workplace(card).cwd, memory: store.memory }),
      permission_mode: policy(card).mode,
      ...effort,
      ...id,
    }),
    ...nowAndNames(clock),
    note: (fact) => store.ledger.record([fact]),
    runners: hookRunners({
      deps,
      foreign: async (signal) => mcp?.foreign().settled(signal) ?? [],
      env: ownEnv,
      model: card.model,
      runAgent: createAgent,
    }),
    keep: (text) => texts.put(text).path,
    show: (text, call_id) =>
      deltas.publish({ member: card.name, type: 'progress', text, ...(call_id === undefined ? {} : { call_id }) }),
    rewake,
  }
}

function givenBy({ hooks: { credentials, exported } }: RunContext): Pick<HookPlace, 'credentials' | 'exported'> {
  return { credentials, exported }
}

function nowAndNames({ now, mint }: RunContext['clock']): Pick<HookPlace, 'now' | 'mint'> {
  return { now, mint }
}

/** The words of a person that the member works on. */
function promptIdOf({ conversation }: MemberStore): { readonly prompt_id?: string } {
  const said = logOf(conversation).findLast(({ message }) => message.role === 'user' && message.origin !== 'hook')
  return said === undefined ? {} : { prompt_id: said.id }
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
