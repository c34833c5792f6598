import {
  coordinatorMachine,
  placeNow,
  type CoordinatorEvent,
  type CoordinatorInput,
} from '../../../machines/coordinator/coordinator.ts'
import type { Entry, Recorded } from '../../../src/protocol/facts/entry.ts'
import type { Envelope } from '../../../src/protocol/mail/envelope.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import type { HandOutInput, RecallInput } from '../../../src/protocol/port.ts'
import type { GatherPolicy, ResolvedTeam } from '../../../src/protocol/team/team-card.ts'
import { userMessage } from '../../../src/protocol/conversation/message.ts'
import { mayDelegate } from '../../../src/rules/team/coordinator-tools.ts'
import { handOutKey } from '../../../src/rules/team/delegation-plan.ts'
import { gatherNote } from '../../../src/rules/team/gather-note.ts'
import { resumeLeader } from '../../../src/runtime/team/resume-leader.ts'
import { coordinationOracle, type Step } from './coordination-oracle.ts'
import type { Ending, MailPart } from './walking-member.ts'
import { workingMembers } from './working-members.ts'
import { dice, pick, type Dice } from './dice.ts'
import { added, begin, childrenOf, doneEvent, errorEvent, factsOf, take, type Effect, type Walk } from './walk.ts'

type Walking = Walk<typeof coordinatorMachine>

/** Plays one history of a team that the seed draws. @returns what broke a rule, with the way there */
export async function playHistory(
  seed: number,
): Promise<{ readonly flaws: readonly string[]; readonly path: readonly string[] }> {
  const world = openWorld(seed)
  const length = 10 + world.draw(250)
  for (let step = 0; step < length; step += 1) await world.move()
  await world.drain()
  return { flaws: world.oracle.flaws, path: world.path }
}

function openWorld(seed: number) {
  const draw = dice(seed)
  const workers = Array.from({ length: 1 + draw(11) }, (_, index) => `w${index + 1}`)
  const policy = drawPolicy(draw, workers)
  const concurrency = draw(3) === 0 ? 1 + draw(4) : Infinity
  const input: CoordinatorInput = {
    lead: 'lead',
    policy,
    partition: 'enforced',
    domain: [],
    workers: workers.map((name) => ({ name, card: name })),
    ...(concurrency === Infinity ? {} : { concurrency }),
  }
  const team = { name: 'team', coordinator: 'lead', gather: policy, members: [] } as unknown as ResolvedTeam
  const oracle = coordinationOracle({ retry: policy.retry, concurrency })
  const recorded: Recorded[] = []
  const path: string[] = []
  const lost = new Set<string>()
  /** For whom each hand-out was begun. */
  const takers = new Map<string, string>()
  /** Tasks that were sent, by the hand-out. */
  const posted = new Map<string, string>()
  let alarms: { readonly due: number; readonly event: CoordinatorEvent }[] = []
  let at = 1_000
  let mails = 0
  let walk: Walking

  const record = (owner: string, fact: Fact): Entry => {
    const seq = recorded.length + 1
    const entry: Entry = { v: 1, seq, id: `${owner}-${seq}`, parent: null, at, ...fact }
    recorded.push({ owner, entry })
    members.hear({ owner, entry })
    return entry
  }
  /** By sender and key: a mail under a key is sent once. */
  const sent = new Map<string, Envelope>()
  const mail = (from: string, to: string, part: MailPart): Envelope => {
    const before = part.key === undefined ? undefined : sent.get(`${from} ${part.key}`)
    if (before) return before
    mails += 1
    const id = `mail-${mails}`
    const [seq, sent_at] = [mails, at]
    const frame = { v: 1, key: id, sender: from, seq, priority: 'normal', sent_at } as const
    const envelope: Envelope = { ...frame, ...part, id, from: `${from}@team`, to: `${to}@team` }
    if (part.key !== undefined) sent.set(`${from} ${part.key}`, envelope)
    record(from, { type: 'mail.sent', envelope })
    oracle.hearMail(envelope)
    if (envelope.kind === 'result') hearResult(envelope)
    return envelope
  }
  /** The coordinator hears a result in the moment in which the mail is written. */
  const hearResult = ({ request = '', reply_to = '', status = 'done', sender, amends }: Envelope): void => {
    if (amends) return
    const late = oracle.pieces.get(request)?.ended !== null
    const told = { request, status: status as 'done', late }
    send({ type: 'result.received', request, task: reply_to, status, at }, `${sender} says ${status} to ${request}`, {
      result: told,
    })
  }
  const members = workingMembers({
    draw,
    workers,
    recorded,
    record,
    mail,
    say: (name) => void path.push(name),
    wrote: (text, request, worker) => oracle.hearText({ text, request, worker }),
    broke(member, text) {
      path.push(`${member} is told: ${text}`)
      const busy = workers.filter((name) => !members.isStill(name) && new RegExp(`\\b${name}\\b`).test(text))
      if (busy.length > 0) oracle.flaws.push(`${member} gave up waiting, and ${busy.join()} had mail: ${text}`)
    },
  })
  /** What follows at once is judged; alarms go off later. */
  const judged = (name: string, effects: readonly Effect[], more: Partial<Step> = {}): void => {
    const facts = factsOf(effects)
    for (const fact of facts) record('team', fact)
    for (const effect of effects)
      if (effect.kind === 'alarm') alarms.push({ due: at + effect.delay, event: effect.event as CoordinatorEvent })
    const handedOut = effects.flatMap((effect) =>
      effect.kind === 'start' && effect.src === 'handOut' ? [effect.input as HandOutInput] : [],
    )
    for (const effect of effects)
      if (effect.kind === 'start' && effect.src === 'recall')
        takers.set(effect.id, (effect.input as RecallInput).worker)
    for (const { request, attempt, worker } of handedOut) takers.set(`hand_out:${request}:${attempt}`, worker)
    path.push(name)
    oracle.hear({ name, handedOut, facts, ...more })
  }
  const send = (event: CoordinatorEvent, name: string = event.type, more: Partial<Step> = {}): void => {
    const before = walk
    walk = take(walk, event)
    judged(name, added(before, walk), more)
  }

  walk = begin(coordinatorMachine, input)
  record('team', { type: 'team.started', run: 'run', team: 'team', hash: 'h', task: 'Begin.' })
  judged('begin', walk.effects)
  members.begin()

  const delegate = (): void => {
    const place = placeNow(walk.snapshot)
    if (!place || !mayDelegate(place)) return
    const request = `r${oracle.pieces.size + 1}`
    const worker = pick(draw, workers) ?? ''
    const possible = [...oracle.pieces].filter(([, { ended }]) => ended === null || ended === 'done').map(([id]) => id)
    const needs = draw(2) === 0 ? [] : possible.filter(() => draw(3) === 0)
    const out = [...oracle.pieces.values()].filter(({ ended, attempts }) => ended === null && attempts > 0).length
    const waits = needs.length > 0 || out >= concurrency
    const asked = { request, worker, needs, waits }
    const task = `do ${request}`
    const limit = draw(4) === 0 ? 50 + draw(500) : null
    if (waits) {
      const fact = { type: 'request.held', request, worker, task, depends_on: needs, limit_ms: limit } as const
      send({ ...fact, at: record('team', fact).at }, `hold ${request} for ${worker} after [${needs.join()}]`, { asked })
      return
    }
    const { id: mail_id } = mail('lead', worker, { kind: 'task', request, body: task })
    const deadline = limit === null ? null : at + limit
    const fact = { type: 'request.opened', request, worker, task, mail_id, attempt: 1, deadline } as const
    send({ ...fact, at: record('team', fact).at }, `open ${request} for ${worker}`, { asked })
  }
  /** The task goes to whom the port was begun for, whoever has the request by now; what was sent is not sent again. */
  const post = (child: string): string => {
    const before = posted.get(child)
    if (before !== undefined) return before
    const [, request = '', attempt = ''] = child.split(':')
    const worker = takers.get(child) ?? ''
    const key = handOutKey(request, Number(attempt))
    const { id } = mail('lead', worker, { kind: 'task', request, key, body: `do ${request}` })
    posted.set(child, id)
    path.push(`the task of ${request} is sent to ${worker}, ${attempt}`)
    oracle.hearHandOut(request, Number(attempt), worker)
    return id
  }
  const postSome = (): void => {
    const child = pick(draw, childrenOf(walk.snapshot))
    if (child?.src === 'handOut' && !lost.has(takers.get(child.id) ?? '')) post(child.id)
  }
  const settleChild = (fails: boolean): void => {
    const child = pick(draw, childrenOf(walk.snapshot))
    if (!child) return
    const [, request = '', attempt = ''] = child.id.split(':')
    if (child.src !== 'handOut') {
      const worker = takers.get(child.id) ?? ''
      mail('lead', worker, { kind: 'control', priority: 'interrupt', request, body: 'Not needed.' })
      send(doneEvent(child.id, undefined) as never, `${child.id} answers`)
      return
    }
    if ((fails || lost.has(takers.get(child.id) ?? '')) && !posted.has(child.id)) {
      send(errorEvent(child.id, 'no box') as never, `${child.id} fails`)
      return
    }
    const mail_id = post(child.id)
    send(doneEvent(child.id, { mail_id }) as never, `${request} is handed out, ${attempt}`)
  }
  const work = async (end: Ending, dies = false): Promise<void> => {
    await members.step(end, dies)
    members.look()
  }
  const lose = (): void => {
    const member = pick(draw, workers)
    if (member === undefined || lost.has(member)) return
    lost.add(member)
    const reason = 'crashed'
    record('team', { type: 'member.lost', member, reason })
    send({ type: 'member.lost', member, reason, at }, `lose ${member}`)
  }
  const tellLead = (): void => {
    if (walk.snapshot.context.news !== 'untold') return
    const message = userMessage(gatherNote('all', [], { rounds: 1, of: 5, budget: [] }), 'runtime')
    record('lead', { type: 'message.appended', message })
    send({ type: 'lead.briefed', at })
    record('lead', { type: 'model.requested', turn: 1, model: 'm' })
    send({ type: 'lead.asked', at })
  }
  const rest = (): void => {
    send({ type: 'lead.idled', at })
    send({ type: 'lead.woke', at })
  }
  const stop = (): void => {
    const request = pick(draw, [...oracle.pieces.keys()])
    if (request !== undefined) send({ type: 'request.cancelled', request, reason: 'stopped', at }, `stop ${request}`)
  }
  const pass = (ms: number): void => {
    at += ms
    const due = alarms.filter((alarm) => alarm.due <= at).toSorted((a, b) => a.due - b.due)
    alarms = alarms.filter((alarm) => alarm.due > at)
    for (const { event } of due) send(event, `${event.type} is due`)
  }
  /** The leader dies and another one takes up what the journals say; tasks that workers hold stay with them. */
  const kill = (): void => {
    const { coordinator, untold, unstated, unheard } = resumeLeader(recorded, team, at)
    if (!coordinator) return
    alarms = []
    record('team', { type: 'team.resumed', pid: 1 })
    const before = begin(coordinatorMachine, { ...input, earlier: coordinator })
    members.resume()
    walk = take(before, { type: 'run.resumed', untold, unstated, at })
    for (const event of unheard) walk = take(walk, event)
    judged('kill and resume', [...walk.effects], { resumed: true })
  }

  const moves: readonly (readonly [weight: number, act: () => void | Promise<void>])[] = [
    [8, delegate],
    [10, () => settleChild(draw(8) === 0)],
    [3, postSome],
    [60, () => work('done')],
    [6, () => work('failed')],
    [2, () => work('aborted')],
    [6, () => work('mute')],
    [14, () => work('waits')],
    [10, () => work('asks')],
    [8, () => work('tells')],
    [8, () => work('reports')],
    [4, () => work('done', true)],
    [4, () => members.kill()],
    [3, members.leadReads],
    [3, members.chat],
    [1, lose],
    [5, tellLead],
    [2, rest],
    [1, stop],
    [1, () => send({ type: 'lead.satisfied', reason: 'enough', at })],
    [3, () => pass(draw(200))],
    [2, kill],
  ]
  const total = moves.reduce((sum, [weight]) => sum + weight, 0)
  return {
    draw,
    oracle,
    path,
    async move(): Promise<void> {
      let left = draw(total)
      for (const [weight, act] of moves) {
        left -= weight
        if (left >= 0) continue
        await act()
        return
      }
    },
    /** Everybody finishes, then time passes. */
    async drain(): Promise<void> {
      const isStill = (): boolean => members.ready().length === 0 && childrenOf(walk.snapshot).length === 0
      for (let turn = 0; turn < 5_000; turn += 1) {
        members.leadReads()
        members.look()
        if (isStill()) break
        settleChild(false)
        await work('done')
        tellLead()
      }
      oracle.rest([...lost])
      pass(100_000)
      const settled = recorded.filter(({ entry }) => entry.type === 'gather.settled').length
      oracle.close(settled)
    },
  }
}

function drawPolicy(draw: Dice, workers: readonly string[]): GatherPolicy {
  const waits: readonly GatherPolicy['wait'][] = ['all', 'all', 'any', 'progressive', { quorum: 1 + draw(3) }]
  const substitute = draw(3) === 0 ? pick(draw, workers) : undefined
  return {
    wait: pick(draw, waits) ?? 'all',
    timeout_ms: 1_000 + draw(50_000),
    retry: draw(3),
    then: draw(4) === 0 ? 'fail' : 'continue',
    rounds: 1 + draw(8),
    ...(substitute === undefined ? {} : { substitute }),
  }
}
