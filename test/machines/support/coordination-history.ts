import {
  coordinatorMachine,
  placeNow,
  type CoordinatorEvent,
  type CoordinatorInput,
} from '../../../machines/coordinator/coordinator.ts'
import type { Entry, Recorded } from '../../../src/protocol/facts/entry.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import type { HandOutInput } from '../../../src/protocol/port.ts'
import type { GatherPolicy, ResolvedTeam } from '../../../src/protocol/team/team-card.ts'
import { userMessage } from '../../../src/protocol/conversation/message.ts'
import { mayDelegate } from '../../../src/rules/team/coordinator-tools.ts'
import { gatherNote } from '../../../src/rules/team/gather-note.ts'
import { resumeLeader } from '../../../src/runtime/team/resume-leader.ts'
import { coordinationOracle, type Step } from './coordination-oracle.ts'
import { added, begin, childrenOf, doneEvent, errorEvent, factsOf, take, type Effect, type Walk } from './walk.ts'

type Walking = Walk<typeof coordinatorMachine>

/** A task in a worker's hands, by the mail that carried it. */
interface Held {
  readonly request: string
  readonly worker: string
  readonly mail: string
}

/** Plays one history of a team that the seed draws. @returns what broke a rule, with the way there */
export function playHistory(seed: number): { readonly flaws: readonly string[]; readonly path: readonly string[] } {
  const world = openWorld(seed)
  const length = 10 + world.draw(60)
  for (let step = 0; step < length; step += 1) world.move()
  world.drain()
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
  const inHand: Held[] = []
  const lost = new Set<string>()
  let alarms: { readonly due: number; readonly event: CoordinatorEvent }[] = []
  let at = 1_000
  let mails = 0
  let walk: Walking

  const record = (owner: string, fact: Fact): Entry => {
    const seq = recorded.length + 1
    const entry: Entry = { v: 1, seq, id: `${owner}-${seq}`, parent: null, at, ...fact }
    recorded.push({ owner, entry })
    return entry
  }
  const mail = (
    from: string,
    to: string,
    more: { kind: 'task' | 'result'; request: string; reply_to?: string; status?: 'done' | 'failed' | 'cancelled' },
  ) => {
    mails += 1
    const id = `mail-${mails}`
    const frame = {
      v: 1,
      key: id,
      from: `${from}@team`,
      sender: from,
      seq: mails,
      to: `${to}@team`,
      priority: 'normal',
    } as const
    record(from, { type: 'mail.sent', envelope: { ...frame, id, body: 'text', sent_at: at, ...more } })
    return id
  }
  /** What follows at once is judged; alarms go off later. */
  const judged = (name: string, effects: readonly Effect[], more: Partial<Step> = {}): void => {
    const facts = factsOf(effects)
    for (const fact of facts) record('team', fact)
    for (const effect of effects)
      if (effect.kind === 'alarm') alarms.push({ due: at + effect.delay, event: effect.event as CoordinatorEvent })
    const handedOut = effects.flatMap((effect) =>
      effect.kind === 'start' && effect.src === 'handOut' ? [effect.input as HandOutInput] : [],
    )
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

  const delegate = (): void => {
    const place = placeNow(walk.snapshot)
    if (!place || !mayDelegate(place)) return
    const request = `r${oracle.pieces.size + 1}`
    const worker = pick(draw, workers) ?? ''
    const possible = [...oracle.pieces].filter(([, { ended }]) => ended === null || ended === 'done').map(([id]) => id)
    const needs = draw(2) === 0 ? [] : possible.filter(() => draw(3) === 0)
    const out = [...oracle.pieces.values()].filter(({ ended, attempts }) => ended === null && attempts > 0).length
    const waits = needs.length > 0 || out >= concurrency
    const asked = { request, needs, waits }
    const task = `do ${request}`
    const limit = draw(4) === 0 ? 50 + draw(500) : null
    if (waits) {
      const fact = { type: 'request.held', request, worker, task, depends_on: needs, limit_ms: limit } as const
      send({ ...fact, at: record('team', fact).at }, `hold ${request} for ${worker} after [${needs.join()}]`, { asked })
      return
    }
    const mail_id = mail('lead', worker, { kind: 'task', request })
    inHand.push({ request, worker, mail: mail_id })
    const deadline = limit === null ? null : at + limit
    const fact = { type: 'request.opened', request, worker, task, mail_id, attempt: 1, deadline } as const
    send({ ...fact, at: record('team', fact).at }, `open ${request} for ${worker}`, { asked })
  }
  const settleChild = (fails: boolean): void => {
    const child = pick(draw, childrenOf(walk.snapshot))
    if (!child) return
    const [, request = '', attempt = ''] = child.id.split(':')
    if (child.src !== 'handOut') {
      send(doneEvent(child.id, undefined) as never, `${child.id} answers`)
      return
    }
    if (fails) {
      send(errorEvent(child.id, 'no box') as never, `${child.id} fails`)
      return
    }
    const worker = walk.snapshot.context.book[request]?.worker ?? ''
    const id = mail('lead', worker, { kind: 'task', request })
    inHand.push({ request, worker, mail: id })
    send(doneEvent(child.id, { mail_id: id }) as never, `${request} is handed out, ${attempt}`)
  }
  const report = (status: 'done' | 'failed' | 'cancelled'): void => {
    const held = pick(draw, inHand)
    if (!held || lost.has(held.worker)) return
    inHand.splice(inHand.indexOf(held), 1)
    const { request, worker, mail: reply_to } = held
    mail(worker, 'lead', { kind: 'result', request, reply_to, status })
    const late = oracle.pieces.get(request)?.ended !== null
    const name = `${worker} says ${status} to ${request}`
    send({ type: 'result.received', request, task: reply_to, status, at }, name, { result: { request, status, late } })
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
    const { coordinator, untold, unheard } = resumeLeader(recorded, team, at)
    if (!coordinator) return
    alarms = []
    record('team', { type: 'team.resumed', pid: 1 })
    const before = begin(coordinatorMachine, { ...input, earlier: coordinator })
    walk = take(before, { type: 'run.resumed', untold, at })
    for (const event of unheard) walk = take(walk, event)
    judged('kill and resume', [...walk.effects], { resumed: true })
  }

  const moves: readonly (readonly [weight: number, act: () => void])[] = [
    [8, delegate],
    [10, () => settleChild(draw(8) === 0)],
    [10, () => report('done')],
    [4, () => report('failed')],
    [1, () => report('cancelled')],
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
    move(): void {
      let left = draw(total)
      for (const [weight, act] of moves) {
        left -= weight
        if (left >= 0) continue
        act()
        return
      }
    },
    /** Everybody finishes, then time passes. */
    drain(): void {
      for (
        let turn = 0;
        turn < 400 && (inHand.some(({ worker }) => !lost.has(worker)) || childrenOf(walk.snapshot).length > 0);
        turn += 1
      ) {
        settleChild(false)
        report('done')
        tellLead()
      }
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

type Dice = (sides: number) => number

function pick<Item>(draw: Dice, items: readonly Item[]): Item | undefined {
  return items.length === 0 ? undefined : items[draw(items.length)]
}

/** Whole numbers below `sides`, the same for the same seed (mulberry32). */
function dice(seed: number): Dice {
  let state = seed >>> 0
  return (sides) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides
  }
}
