import { livePlace } from '../../adapters/live/live-place.ts'
import { readRunKey } from '../../adapters/sessions/run-key.ts'
import type { ToolContext } from '../../protocol/tools/tool.ts'
import { serverCallKey, spanTraceparent } from '../../rules/telemetry/trace-ids.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import { systemPolicyRoot } from '../runs/policy-root.ts'
import { leadBroker, type LeadBroker, type LeadBrokerOptions } from './lead-broker.ts'
import { openMemberMcp, type MemberMcp } from './member-mcp.ts'
import type { MemberMcpOptions } from './server-sight.ts'

/** The MCP servers of a run, as one of its processes has them. */
export interface RunMcp {
  /** The servers of one member; null for one that has none. */
  member(card: MemberCard, life: MemberLife): MemberMcp | null
  /** Starts the servers: for the process that leads the run. */
  lead(leading: Leading): LeadBroker | null
}

interface MemberLife extends Pick<MemberMcpOptions, 'questions'> {
  readonly incarnation: string
}

type Leading = Pick<LeadBrokerOptions, 'placeOf' | 'clock' | 'ownEnv' | 'trusted' | 'onTrust' | 'record'> & {
  readonly cwd: string
}

interface RunPlace extends Pick<LeadBrokerOptions, 'team' | 'home' | 'env'> {
  readonly run: { readonly id: string; readonly dir: string }
  readonly policyRoot?: string | undefined
  /** The trace that the run belongs to. */
  readonly traceparent?: string | undefined
}

/** Opens the servers of a run. Nothing is started before somebody leads it. */
export function openRunMcp({ team, run, home, env, traceparent, policyRoot = systemPolicyRoot }: RunPlace): RunMcp {
  const runKey = readRunKey(home, run.id)
  const trace = { run: run.id, traceparent }
  return {
    member(card, { questions, incarnation }) {
      const keys = callKeys(incarnation)
      const contextOf = (call?: ToolContext) => (call ? spanTraceparent(trace, keys(call)) : traceparent)
      return openMemberMcp({ team, card, runDir: run.dir, runKey, home, questions, traceparent: contextOf })
    },
    lead(leading) {
      const socket = livePlace({ dir: run.dir, owner: 'mcp', env: leading.ownEnv })
      const places = { cwd: leading.cwd, home, policyRoot }
      return leadBroker({ team, runDir: run.dir, runKey, socket, home, env, places, ...leading })
    },
  }
}

/** The key of each call of a life: a model may give an id again that its conversation does not hold any more. */
function callKeys(incarnation: string): (call: ToolContext) => string {
  const times = new Map<string, number>()
  const known = new WeakMap<ToolContext, string>()
  return (call) => {
    const earlier = times.get(call.callId) ?? 0
    const key = known.get(call) ?? serverCallKey(incarnation, call.callId, earlier)
    if (!known.has(call)) times.set(call.callId, earlier + 1)
    known.set(call, key)
    return key
  }
}
