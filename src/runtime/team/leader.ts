import type { Gate } from '../../../machines/team/spawn-gate.ts'
import type { TeamEvent } from '../../../machines/team/team.ts'
import { namesIn } from '../../adapters/fs/names-in.ts'
import { undelivered } from '../../adapters/mailbox/files/mail-folders.ts'
import { withdrawTasks } from '../../adapters/mailbox/send/withdraw.ts'
import { everybody } from '../../protocol/words/ids.ts'
import type { Survey } from '../../protocol/port.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import type { TeamReceipt } from '../../protocol/tools/tool.ts'
import { requestsRefusalText } from '../../rules/team/spawn-guard.ts'
import type { Coordination } from './coordination.ts'
import type { Elsewhere } from '../elsewhere/elsewhere.ts'
import { isDiskRefusal } from '../journals/halt.ts'
import type { Ledger } from '../journals/ledger.ts'
import type { MemberTrees } from '../elsewhere/member-trees.ts'
import { openGate } from '../member/member-deps.ts'
import { nestingMark } from '../runs/nesting.ts'
import { spawnRefusal } from './spawn-refusal.ts'
import type { RunningBoard } from '../tasks/open-board.ts'
import { startMember, type LocalMember } from '../member/start-member.ts'
import type { TeamReach } from '../reach/team-port.ts'
import type { TeamScene } from '../context/run-context.ts'
import type { ToolSets } from '../agent/turn-tools.ts'
import { workerTools } from '../member/worker-tools.ts'

/** A running team in its leader's process: the scene, who is on it, and the leader's own instruments. */
export interface Stage {
  readonly scene: TeamScene
  /** Those who live in this process. */
  readonly members: Map<string, LocalMember>
  readonly elsewhere: Elsewhere
  readonly trees: MemberTrees
  /** The team's journal. */
  readonly ledger: Ledger
  readonly coordination: Coordination
  /** Of all workers: those with the same tools share one set. */
  readonly toolSets: ToolSets
  /** Null where the team has no task board. */
  readonly board: RunningBoard | null
  tellTeam(event: TeamEvent): void
  /** Who lives, and what limits the starting of more. */
  teamGate(): Gate
  /** Stops the run where it is. */
  halt(error: unknown): void
}

/** Starts a member in this process and keeps it among the living until it is gone. */
export function bringOn(stage: Stage, name: string): LocalMember {
  const { scene, members, coordination, toolSets } = stage
  const card = cardOf(scene, name)
  const tools = workerTools(card)
  const member = startMember({
    scene,
    card,
    gate: card.role === 'coordinator' ? coordination.gate : openGate((loaded) => toolSets(tools, loaded)),
    reach: reachOf(stage, card),
    nested: nestingMark(scene.nesting, stage.teamGate().lives[name]?.depth ?? 0),
    crashed(error) {
      // Another life of it could not write either.
      if (isDiskRefusal(error)) stage.halt(error)
      else stage.tellTeam({ type: 'member.crashed', member: name, error: textOfError(error), at: scene.clock.now() })
    },
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

/** A member that lives, or will in a moment: mail in its name waits for that. */
export async function comingMember(
  { members, scene }: Pick<Stage, 'members' | 'scene'>,
  name: string,
): Promise<LocalMember> {
  if (!members.has(name)) await startOf(scene, name)
  return livingMember({ members }, name)
}

function startOf({ facts }: TeamScene, name: string): Promise<void> {
  return new Promise((resolve) => {
    const deafen = facts.subscribe(({ owner, entry }) => {
      if (owner !== name || entry.type !== 'member.started') return
      deafen()
      resolve()
    })
  })
}

/**
 * What the run directory and the living members say of the whole team, for the end-of-run rule. While somebody is busy only
 * the boxes of those who are not running are looked at: every rest asks again, and all boxes each time would be n² looks.
 * For the same reason who was busy last is asked first.
 */
export function surveyor(stage: Stage): () => Survey {
  const { scene, members, elsewhere } = stage
  const isBusy = ({ name }: MemberCard): boolean => members.get(name)?.busy() ?? elsewhere.busy(name)
  let last: MemberCard | undefined
  return () => {
    if (last === undefined || !isBusy(last)) last = scene.team.members.find(isBusy)
    return last === undefined ? surveyAll(stage) : surveyAbsent(stage, last.name)
  }
}

function surveyAbsent({ scene: { team, run }, teamGate }: Stage, busy: string): Survey {
  const { lives } = teamGate()
  const absent = team.members.filter(({ name }) => lives[name]?.state === 'absent')
  const boxes = new Set(absent.length > 0 ? namesIn(run.mail) : [])
  const addressed = absent.filter(({ name }) => boxes.has(name))
  return {
    members: [
      { name: busy, undelivered: 0, busy: true },
      ...addressed.map(({ name }) => ({ name, undelivered: undelivered(run.mail, name), busy: false })),
    ],
    pendingPermissions: 0,
    open: [],
  }
}

function surveyAll({ scene: { team, run, inquiry }, members, elsewhere, coordination, board }: Stage): Survey {
  // Mail first: what a member elsewhere has taken in by now, its journal says it is busy with.
  const waiting = team.members.map(({ name }) => ({ name, undelivered: undelivered(run.mail, name) }))
  elsewhere.catchUp()
  return {
    members: waiting.map((member) => ({
      ...member,
      busy: members.get(member.name)?.busy() ?? elsewhere.busy(member.name),
    })),
    pendingPermissions: inquiry.requests.files.list().filter(({ answered }) => !answered).length,
    open: [...coordination.open(), ...(board?.unfinished() ?? []).map(({ task }) => `task ${task}`)],
  }
}

function reachOf(stage: Stage, card: MemberCard): Omit<TeamReach, 'send'> {
  const { scene, board } = stage
  const { team, roster, clock } = scene
  return {
    team: team.name,
    recipients: () => roster.filter((name) => name !== card.name),
    ...(board ? { tasks: board.answers } : {}),
    now: clock.now,
    delegation: card.role === 'coordinator' ? delegationOf(stage) : null,
    stop: (worker, reason) => stopWorker(stage, card, { worker, reason }),
    refusal: (member) => refusalOf(stage, card.name, member),
  }
}

/** Work that is not begun for want of budget is cut short, whatever the lead answers without it: that is stated, once. */
function refusalOf({ scene, teamGate, ledger }: Stage, by: string, member: string): string | null {
  const { treasury, clock } = scene
  const refusal = spawnRefusal({ gate: teamGate, usedUp: treasury.usedUp, now: clock.now }, by, member)
  const unit = treasury.usedUp()
  if (refusal?.limit === 'budget' && unit !== null && teamGate().spent === null)
    ledger.record([{ type: 'budget.exhausted', scope: 'team', unit, last: true }])
  return refusal?.text ?? null
}

function delegationOf(stage: Stage): TeamReach['delegation'] {
  const { scene, ledger, coordination } = stage
  const { team } = scene
  const { choose, standing, askedAs, nextRequest, isFull, total } = coordination
  const most = team.limits?.requests ?? Infinity
  const cards = team.members.flatMap(({ name, card, role }) => (role === 'worker' ? [card, name] : []))
  return {
    workers: () => [...new Set(cards)],
    choose,
    standing,
    askedAs,
    isFull,
    refusal: (worker) => (total() >= most ? requestsRefusalText(most) : refusalOf(stage, team.coordinator, worker)),
    nextRequest,
    open(opened) {
      if (standing(opened.request) === undefined) ledger.record([opened])
    },
  }
}

/** `all` says that there are results enough: workers are told, and stay. */
function stopWorker(stage: Stage, { name: sender }: MemberCard, stop: { worker: string; reason: string }): TeamReceipt {
  const { scene, ledger, coordination } = stage
  const { worker, reason } = stop
  const at = scene.clock.now()
  const requests = coordination.open(worker === everybody ? undefined : worker)
  if (worker === everybody) {
    coordination.send({ type: 'lead.satisfied', reason, at })
    const note = requests.length === 0 ? 'Nothing was open.' : `Cancelled: ${requests.join(', ')}. Answer now.`
    return { id: worker, note }
  }
  const workers = scene.team.members.flatMap(({ name, role }) => (role === 'worker' ? [name] : []))
  if (!workers.includes(worker)) return { error: `no worker is called "${worker}"; workers: ${workers.join(', ')}` }
  ledger.record(withdrawTasks(scene.run.mail, { sender, to: worker, requests }))
  for (const request of requests) coordination.send({ type: 'request.cancelled', request, reason, at })
  stage.tellTeam({ type: 'member.stop', member: worker, reason, at })
  return { id: worker }
}

function cardOf({ team }: TeamScene, name: string): MemberCard {
  const card = team.members.find((member) => member.name === name)
  if (!card) throw new Error(`${name} is no member of ${team.name}`)
  return card
}

function textOfError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
