import { isUp } from '../../../machines/team/lives.ts'
import { takeUnread, withdrawTasks, type TakenMail } from '../../adapters/mailbox/send/withdraw.ts'
import { hearing, type EntryOf } from '../../projections/fold/fold.ts'
import { userMessage } from '../../protocol/conversation/message.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import type { TeamReceipt } from '../../protocol/tools/tool.ts'
import type { LifeAsk } from '../../protocol/work/life-ask.ts'
import { agentId, everybody, memberName, personSender } from '../../protocol/words/ids.ts'
import { shortLine } from '../../rules/conversation/mail-frame.ts'
import { returnedLine, returnedText, stopAskText, stoppedByPersonText } from '../../rules/lives/stop-text.ts'
import { comingMember, type Leader, type StopWish } from './leader.ts'
import { undeliveredFiles } from './undelivered.ts'

/*
 * The leader's part in a stop. The team machine decides how it goes; here its steps are done: what the worker has not begun
 * is taken back, it is asked, and when it is gone its requests end and its unread mail goes back to who wrote it.
 */

/** Does what a person asks for: that a worker stops, or that a member begins again with its conversation. */
export function obey(leader: Leader, ask: LifeAsk): void {
  const { context, tellTeam, stop } = leader
  if (ask.ask === 'stop') stop({ ...ask, worker: ask.member, by: personSender })
  else tellTeam({ type: 'member.restart', member: ask.member, by: personSender, at: context.clock.now() })
}

/** Begins what was wished: `all` says that there are results enough, and workers are told, and stay. */
export function stopAsWished(leader: Leader, wish: StopWish): TeamReceipt {
  const { context, coordination } = leader
  const { worker, reason } = wish
  if (worker === everybody) {
    const requests = coordination.open()
    coordination.send({ type: 'lead.satisfied', reason, at: context.clock.now() })
    const note = requests.length === 0 ? 'Nothing was open.' : `Cancelled: ${requests.join(', ')}. Answer now.`
    return { id: worker, note }
  }
  const workers = context.team.members.flatMap(({ name, role }) => (role === 'worker' ? [name] : []))
  if (workers.includes(worker)) return beginStop(leader, wish)
  return { error: `no worker is called "${worker}"; workers: ${workers.join(', ')}` }
}

/** Begins a stop. A worker with nothing to do is not asked; what it has not begun is taken back in any case. */
function beginStop(leader: Leader, { worker, by, reason, grace_ms }: StopWish): TeamReceipt {
  const { context, ledger, coordination, stopping, tellTeam, spawnGate } = leader
  const at = context.clock.now()
  const requests = coordination.open(worker)
  const sender = context.team.coordinator
  const unread = withdrawTasks(context.run.mail, { sender, to: worker, requests })
  ledger.record(unread.map(({ fact }) => fact))
  const unbegun = new Set([...unread.flatMap(({ envelope }) => envelope.request ?? []), ...coordination.held(worker)])
  const begun = requests.filter((request) => !unbegun.has(request))
  const life = spawnGate().lives[worker]
  const isAsked = grace_ms > 0 && life !== undefined && isUp(life) && (begun.length > 0 || isBusy(leader, worker))
  const isByPerson = by === personSender
  // The lead knows at once what it stopped itself; of other work it hears when that has come to its end.
  for (const request of isAsked || isByPerson ? requests.filter((each) => unbegun.has(each)) : requests)
    coordination.send({ type: 'request.cancelled', request, reason, at })
  if (isByPerson) tellLead(leader, stoppedByPersonText(worker, reason, isAsked))
  stopping.set(worker, begun)
  tellTeam({ type: 'member.stop', member: worker, by, reason, at, ...(isAsked && { grace_ms }) })
  if (!isAsked) {
    giveBack(leader, worker)
    return { id: worker }
  }
  const seconds = Math.ceil(grace_ms / 1000)
  return {
    id: worker,
    note: `${worker} is asked to stop. It finishes, or tells you why it goes on, within ${seconds} s; then it is ended. What it reports by then counts.`,
  }
}

function isBusy({ members, elsewhere }: Leader, worker: string): boolean {
  return members.get(worker)?.busy() ?? elsewhere?.busy(worker) ?? false
}

/** Does what follows from the steps of stops. */
export function followStops(leader: Leader): (recorded: Recorded) => void {
  const { context, members } = leader
  const { coordinator } = context.team
  const answers = answersToStops(leader)
  const follow = hearing({
    'stop.asked': (asked) => void ask(leader, asked),
    'stop.refused': () => members.get(coordinator)?.wake(),
    'member.stopped': (stopped) => close(leader, stopped),
  })
  return (recorded) => {
    follow(recorded)
    answers(recorded)
  }
}

/** Tells the team what members do that were asked to stop: one goes on and says why, another has come to an end. */
export function answersToStops({
  tellTeam,
  spawnGate,
}: Pick<Leader, 'tellTeam' | 'spawnGate'>): (recorded: Recorded) => void {
  const isAsked = (member: string): boolean => spawnGate().lives[member]?.state === 'asked'
  return hearing({
    'mail.sent'({ envelope: { kind, body }, at }, member) {
      if (kind !== 'shutdown' || !isAsked(member)) return
      tellTeam({ type: 'member.stays', member, reason: shortLine(body, 500), at })
    },
    'agent.ended'({ at }, member) {
      if (isAsked(member)) tellTeam({ type: 'member.ended', member, at })
    },
  })
}

/** A run whose lead is gone ends: nobody is asked any more. */
async function ask(leader: Leader, { member, by, reason, until, at }: EntryOf<'stop.asked'>): Promise<void> {
  const { team } = leader.context
  const lead = await comingMember(leader, team.coordinator)
  const body = stopAskText({ by, reason }, team.coordinator, until - at)
  const sent = lead.send({ to: agentId(member, team.name), kind: 'shutdown', body, key: `stop:${member}:${at}` })
  if (!sent.ok) leader.ledger.record([{ type: 'warning.raised', code: 'stop_unasked', message: sent.error }])
}

function close(leader: Leader, { member, reason, at }: EntryOf<'member.stopped'>): void {
  const { coordination, stopping } = leader
  const begun = stopping.get(member) ?? []
  stopping.delete(member)
  const open = coordination.open(member).filter((request) => begun.includes(request))
  for (const request of open) coordination.send({ type: 'request.cancelled', request, reason, at })
  giveBack(leader, member)
}

/** The lead reads it with what comes next. */
function tellLead({ context, members }: Leader, text: string): void {
  const message = userMessage(text, 'runtime')
  members.get(context.team.coordinator)?.record([{ type: 'message.appended', message }])
}

/** Takes what a member that stops has not read out of its box, and returns it. */
function giveBack(leader: Leader, member: string): void {
  const { run, team, seal } = leader.context
  const recipient = { id: agentId(member, team.name), team: team.name, seal }
  const files = undeliveredFiles(run.dir)(member)
  const taken = takeUnread(run.mail, { name: member, files, recipient })
  leader.ledger.record(taken.map(({ fact }) => fact))
  for (const mail of taken) sendBack(leader, member, mail)
}

const returning = new Set(['text', 'question', 'answer', 'result'])

/** Returns a mail to its sender, which waits for no answer then. One that does not run is not started for this. */
function sendBack(leader: Leader, member: string, { envelope }: TakenMail): void {
  const { context, ledger, members, spawnGate } = leader
  const { coordinator } = context.team
  const { id, from, kind, body } = envelope
  if (!returning.has(kind)) return
  if (from === personSender) {
    ledger.record([{ type: 'warning.raised', code: 'mail_returned', message: returnedLine(member, envelope) }])
    return
  }
  const lead = members.get(coordinator)
  const [text, sender] = [returnedText(member, body), memberName(from)]
  const life = spawnGate().lives[sender]
  if (sender === coordinator) {
    tellLead(leader, text)
    lead?.wake()
  } else if (life && isUp(life)) {
    lead?.send({
      to: from,
      kind: kind === 'question' ? 'answer' : 'text',
      reply_to: id,
      body: text,
      key: `returned:${id}`,
    })
  }
}
