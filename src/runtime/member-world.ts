import type { Model } from '../protocol/model.ts'
import type { MemberCard } from '../protocol/team-card.ts'
import type { Conversation } from '../rules/context-window.ts'
import { systemPrompt } from '../rules/system-prompt.ts'
import { policyOf, withGrants } from './policy.ts'
import type { Surroundings, TurnTools } from './surroundings.ts'
import { teamPort, type TeamReach } from './team-port.ts'
import type { TeamScene } from './team-scene.ts'

/** What only the coordinator has: a gate in front of its turns and tools that follow the coordinator's state. */
export interface Gate {
  hold(): boolean
  turnTools(): TurnTools
}

export interface WorldParts {
  readonly scene: TeamScene
  readonly card: MemberCard
  readonly gate: Gate
  readonly conversation: Conversation
  readonly receive: () => number
  readonly reach: TeamReach
}

/** Everything a team member's agent acts upon. */
export function memberWorld({ scene, card, gate, conversation, receive, reach }: WorldParts): Surroundings {
  const frozen = policyOf(scene.team, card, { ...scene, readable: [scene.run.artifacts] })
  const grants: string[] = []
  const memory = new Map<string, unknown>()
  const team = teamPort(reach)
  return {
    member: card.name,
    model: modelOf(scene, card),
    system: systemPrompt(scene.team, card, scene.cwd),
    conversation,
    approver: scene.approver,
    home: scene.home,
    cwd: scene.cwd,
    now: scene.clock.now,
    memory,
    receive,
    hold: gate.hold,
    turnTools: gate.turnTools,
    policy: () => withGrants(frozen, grants),
    grant: (rule) => grants.push(rule),
    toolContext: (callId, signal) => ({
      cwd: scene.cwd,
      home: scene.home,
      callId,
      signal,
      env: scene.env,
      memory,
      team,
      progress: (text) => scene.deltas.publish({ member: card.name, type: 'progress', text, call_id: callId }),
    }),
    price: scene.pricing(card.model),
    listened: () => scene.deltas.listeners > 0,
    delta: scene.deltas.publish,
  }
}

function modelOf({ models }: TeamScene, card: MemberCard): Model {
  const model = models.get(card.model)
  if (!model) throw new Error(`${card.model} was not opened`)
  return model
}
