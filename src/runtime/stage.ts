import type { TeamEvent } from '../../machines/team.ts'
import { undelivered } from '../adapters/mailbox/mail-folders.ts'
import type { Survey } from '../protocol/port.ts'
import type { MemberCard } from '../protocol/team-card.ts'
import type { Coordination } from './coordination.ts'
import type { Ledger } from './ledger.ts'
import { startMember, type LocalMember } from './start-member.ts'
import type { TeamReach } from './team-port.ts'
import type { TeamScene } from './team-scene.ts'
import { turnToolSets } from './turn-tools.ts'

/** A running team in its leader's process: the scene, who is on it, and the leader's own instruments. */
export interface Stage {
  readonly scene: TeamScene
  readonly members: Map<string, LocalMember>
  /** The team's journal. */
  readonly ledger: Ledger
  readonly coordination: Coordination
  tellTeam(event: TeamEvent): void
}

/** Starts a member in this process and keeps it among the living until it is gone. */
export function bringOn(stage: Stage, name: string): LocalMember {
  const { scene, members, coordination } = stage
  const card = cardOf(scene, name)
  const own = turnToolSets()
  const member = startMember({
    scene,
    card,
    gate:
      card.role === 'coordinator' ? coordination.gate : { hold: () => false, turnTools: () => own(workerTools(card)) },
    reach: reachOf(stage, card),
    crashed: (error) =>
      stage.tellTeam({ type: 'member.crashed', member: name, error: textOfError(error), at: scene.clock.now() }),
  })
  members.set(name, member)
  void forgetWhenGone(members, name, member)
  return member
}

async function forgetWhenGone(members: Stage['members'], name: string, member: LocalMember): Promise<void> {
  await member.gone
  if (members.get(name) === member) members.delete(name)
}

/** A member that must be running now; the team machine starts the lead first and ends the run without it. */
export function livingMember({ members }: Pick<Stage, 'members'>, name: string): LocalMember {
  const member = members.get(name)
  if (!member) throw new Error(`${name} is not running`)
  return member
}

/** What the run directory and the living members say of the whole team, for the end-of-run rule. */
export function survey({ scene: { team, run }, members, coordination }: Stage): Survey {
  return {
    members: team.members.map(({ name }) => ({
      name,
      busy: members.get(name)?.busy() ?? false,
      undelivered: undelivered(run.mail, name),
    })),
    pendingPermissions: 0,
    open: coordination.open(),
  }
}

/** Every member may write mail, whatever else its card grants. */
function workerTools(card: MemberCard): readonly string[] {
  return card.tools.includes('SendMessage') ? card.tools : [...card.tools, 'SendMessage']
}

function reachOf(stage: Stage, card: MemberCard): Omit<TeamReach, 'send'> {
  const { scene, ledger, coordination } = stage
  const { team, roster, clock } = scene
  return {
    team: team.name,
    recipients: () => roster.filter((name) => name !== card.name),
    workers: () => team.members.flatMap(({ name, role }) => (role === 'worker' ? [name] : [])),
    nextRequest: coordination.nextRequest,
    now: clock.now,
    openRequest:
      card.role === 'coordinator'
        ? (opened) => ledger.record([{ type: 'request.opened', attempt: 1, ...opened }])
        : null,
    stop(worker, reason) {
      const at = clock.now()
      for (const request of coordination.open(worker)) coordination.send({ type: 'request.cancelled', request, at })
      stage.tellTeam({ type: 'member.stop', member: worker, reason, at })
      return { id: worker }
    },
  }
}

function cardOf({ team }: TeamScene, name: string): MemberCard {
  const card = team.members.find((member) => member.name === name)
  if (!card) throw new Error(`${name} is no member of ${team.name}`)
  return card
}

function textOfError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
