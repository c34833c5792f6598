import type { Recorded } from '../../protocol/facts/entry.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { Envelope } from '../../protocol/mail/envelope.ts'
import type { ResolvedTeam } from '../../protocol/team/team-card.ts'
import { leaderName, memberName } from '../../protocol/words/ids.ts'
import { applyLives, type EarlierLives } from './earlier-lives.ts'
import { lostMail, type BoxedMail } from './lost-mail.ts'
import { memberMend, type Mended } from './member-mend.ts'
import { requestsMend } from './team-mend.ts'

/** A run that nobody leads, as all that is left of it tells. */
export interface LeftRun {
  readonly recorded: readonly Recorded[]
  readonly boxes: readonly BoxedMail[]
  readonly team: Pick<ResolvedTeam, 'name' | 'hash' | 'coordinator' | 'members'>
  readonly run: string
  readonly task: string
}

/** Facts and mail that are to be put back, and the words about them. */
export interface Gaps {
  /** Facts for the end of each journal, in their order. */
  readonly mends: ReadonlyMap<string, readonly Mended[]>
  /** Asks of the task board that are to be read once more. */
  readonly asks: readonly Envelope[]
  readonly texts: readonly string[]
}

/**
 * Finds what journals have lost at their ends, as a power cut may have it, by what the others and the boxes still know. A
 * journal that was cut off by a kill has no gap: whatever one side knows the other knows, too, or will be told.
 */
export function gapsIn({ recorded, boxes, team, run, task }: LeftRun): Gaps {
  const { unsent, unread, unknown } = lostMail(recorded, boxes)
  const entriesOf = Map.groupBy(recorded, ({ owner }) => owner)
  const mends = new Map<string, readonly Mended[]>()
  const texts: string[] = []
  for (const { name, role } of team.members) {
    const lost = {
      unread: unread.filter(({ to }) => memberName(to) === name),
      unsent: unsent.filter(({ sender }) => sender === name),
    }
    if (lost.unread.length + lost.unsent.length === 0) continue
    const entries = (entriesOf.get(name) ?? []).map(({ entry }) => entry)
    mends.set(name, memberMend({ ...lost, entries, task: role === 'coordinator' ? task : null }))
    texts.push(memberText(name, lost))
  }
  const mended = withMends(recorded, mends)
  const ofTeam = teamMend({ recorded: mended, team, run, task }, mends)
  if (ofTeam.length > 0)
    texts.push(`the end of the team's journal is lost; again in it: ${ofTeam.map(factText).join(', ')}`)
  for (const [sender, numbers] of unknown) {
    texts.push(`no journal and no box has the messages ${numbers.join(', ')} of ${sender}: they are lost`)
  }
  const ownUnsent = unsent.filter(({ sender }) => sender === leaderName)
  const back = ownUnsent.map((envelope) => ({ at: envelope.sent_at, fact: { type: 'mail.sent', envelope } as const }))
  if (ofTeam.length + back.length > 0) mends.set(leaderName, [...ofTeam, ...back])
  return { mends, asks: unread.filter(({ to }) => memberName(to) === leaderName), texts }
}

function memberText(
  name: string,
  { unread, unsent }: Pick<Parameters<typeof memberMend>[0], 'unread' | 'unsent'>,
): string {
  const received = unread.length === 0 ? [] : [`${unread.length} that it had received`]
  const sent = unsent.length === 0 ? [] : [`${unsent.length} that it had sent`]
  const again = 'what it did besides, and told nobody, is done again'
  return `the end of the journal of ${name} is lost; messages again in it: ${[...received, ...sent].join(', ')}; ${again}`
}

function factText(mended: Mended): string {
  const { fact } = mended
  if (fact.type === 'request.opened' || fact.type === 'request.held') return fact.request
  return fact.type === 'member.spawned' ? `the start of ${fact.member}` : 'the start of the team'
}

/** The journals as they will be: facts that are put back stand behind what is left of each. */
function withMends(recorded: readonly Recorded[], mends: Gaps['mends']): readonly Recorded[] {
  const added = [...mends].flatMap(([owner, facts]) =>
    facts.map(({ at, fact }, index): Recorded => {
      const frame = { v: 1, seq: Number.MAX_SAFE_INTEGER, id: `${owner}-mend-${index}`, parent: null, at } as const
      return { owner, entry: { ...frame, ...fact } }
    }),
  )
  return [...recorded, ...added]
}

function teamMend({ recorded, team, run, task }: Omit<LeftRun, 'boxes'>, mends: Gaps['mends']): readonly Mended[] {
  const lead = recorded.flatMap(({ owner, entry }) => (owner === team.coordinator ? [entry] : []))
  const handedOut = lead.flatMap((entry) =>
    entry.type === 'mail.sent' && entry.envelope.kind === 'task' ? [entry.envelope] : [],
  )
  const first = recorded[0]?.entry.at
  if (first === undefined) return []
  const began: Fact[] = recorded.some(({ entry }) => entry.type === 'team.started')
    ? []
    : [{ type: 'team.started', run, team: team.name, hash: team.hash, task }]
  const requests = requestsMend(recorded, lead, handedOut)
  const all = [...began.map((fact) => ({ at: first, fact })), ...startsMend({ recorded, team }, mends), ...requests]
  return all.toSorted((a, b) => a.at - b.at)
}

/** The starts of members that have worked, or have to work again, and of which the team's journal knows nothing. */
function startsMend({ recorded, team }: Pick<LeftRun, 'recorded' | 'team'>, mends: Gaps['mends']): readonly Mended[] {
  const lives: EarlierLives = new Map()
  for (const each of recorded) applyLives(lives, each)
  return team.members.flatMap(({ name, role }): Mended[] => {
    const at = recorded.find(({ owner }) => owner === name)?.entry.at
    const life = lives.get(name)
    const isKnown = life !== undefined && (life.state !== 'absent' || !mends.has(name))
    if (at === undefined || isKnown || role === 'coordinator') return []
    return [{ at, fact: { type: 'member.spawned', member: name, attempt: (life?.attempt ?? 0) + 1 } }]
  })
}
