import { join } from 'node:path'
import type { Model } from '../protocol/model.ts'
import type { Policy } from '../protocol/permission.ts'
import type { Conversation } from '../rules/context-window.ts'
import type { FrozenOptions } from './agent-options.ts'
import { childEnv } from './child-env.ts'
import { withGrants } from './policy.ts'
import type { Pricing } from './pricing.ts'
import type { Delta, Surroundings } from './surroundings.ts'
import { turnToolSets } from './turn-tools.ts'

/** What a lone agent's session adds to its options. */
export interface LoneParts {
  readonly model: Model
  readonly conversation: Conversation
  readonly delta: (delta: Delta) => void
  readonly pricing: Pricing
}

/** Everything an agent outside of a team acts upon: no inbox, no gate, one set of tools. */
export function agentWorld(options: FrozenOptions, { model, conversation, delta, pricing }: LoneParts): Surroundings {
  const { name, cwd, home, clock, tools, approver } = options
  const frozen = policyOf(options)
  const env = childEnv(options.env)
  const grants: string[] = []
  const memory = new Map<string, unknown>()
  const turnTools = turnToolSets(() => null, tools)(tools.map((tool) => tool.name))
  return {
    member: name,
    model,
    system: options.system,
    conversation,
    approver,
    home,
    cwd,
    now: clock.now,
    memory,
    receive: () => 0,
    hold: () => false,
    turnTools: () => turnTools,
    policy: () => withGrants(frozen, grants),
    grant: (rule) => grants.push(rule),
    toolContext: (callId, signal) => ({
      cwd,
      home,
      callId,
      signal,
      env,
      memory,
      progress: (text) => delta({ member: name, type: 'progress', text, call_id: callId }),
    }),
    price: pricing(model.name),
    listened: () => true,
    delta,
  }
}

function policyOf({ cwd, home, permissions }: FrozenOptions): Policy {
  const { mode = 'default', ...rules } = permissions
  return {
    mode,
    rules: { session: rules },
    bounds: { protected: [join(cwd, '.troupe'), join(home, '.troupe')], scope: [], blockedHosts: [] },
    directories: [cwd],
  }
}
