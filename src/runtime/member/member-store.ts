import { mailLogOf, type MailLog } from '../../adapters/mailbox/files/mail-log.ts'
import { mailFold, type MailMemory } from '../../adapters/mailbox/files/mail-memory.ts'
import { createMailbox, type Mailbox, type MailboxOptions } from '../../adapters/mailbox/mailbox.ts'
import { endJobs } from '../../adapters/tools/shell/member-jobs.ts'
import { ownProcess } from '../../adapters/process/liveness.ts'
import type { Entry, EntryFold } from '../../protocol/facts/entry.ts'
import { agentId } from '../../protocol/words/ids.ts'
import type { MemberFile, MemberState } from '../../protocol/team/run.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import type { Obligations } from '../../projections/team/obligations.ts'
import { isSpoken, type Conversation } from '../../rules/conversation/context-window.ts'
import { mailRoom, shownLengths, wholeMailRoom } from '../../rules/conversation/mail-room.ts'
import { isTask } from '../../rules/conversation/task-queue.ts'
import { agentFold, openAgentStore, type AgentPast, type AgentStore } from '../agent/agent-store.ts'
import { closingOnError, openOwned, journalWarnings } from '../journals/ledger.ts'
import { storedAttachments } from '../../adapters/sessions/attachments.ts'
import { sentUnder } from '../journals/mail-fates.ts'
import { durably, type RunMail } from '../context/mail-options.ts'
import type { TaskBoard } from '../../projections/team/task-board.ts'
import type { Restriction } from '../../protocol/permissions/restriction.ts'
import { carriedBy } from './served.ts'
import type { RunContext } from '../context/run-context.ts'

/** The store of a member: an agent's, with its mailbox and its obligations. */
export interface MemberStore extends AgentStore {
  readonly incarnation: string
  readonly mailbox: Mailbox
  readonly debts: Obligations
  /** Restrictions that its requests carry now. */
  readonly restrictions: () => readonly Restriction[]
  /** Counts the mail that waits; the member's file says what the last look found. */
  unread(): number
  /** Says in the member's file that this life has begun, before its first fact. */
  atWork(): void
  /** Returns the end of what is still being ended, if anything. */
  close(): Promise<unknown> | null
}

/** Which life of a member this is, where its leader has decided that. */
export type Incarnation = Pick<MemberFile, 'incarnation' | 'pane' | 'hello'>

/** Things that a member is given beside its card. */
interface Given {
  readonly life?: Incarnation | undefined
  /** Absent where the team has none. */
  readonly board?: TaskBoard | undefined
  /** The life before was stopped: this one knows nothing of it. */
  readonly fresh?: boolean
}

/**
 * Becomes the member: claims its journal and inbox, takes up what the journal already says, and reports what in it
 * could not be read.
 * @throws LeaseHeld when another process is this member
 */
export function openMemberStore(context: RunContext, card: MemberCard, given: Given = {}): MemberStore {
  const { run, clock } = context
  const { life, board } = given
  const { incarnation, ...place } = life ?? { incarnation: clock.mint(), pane: null }
  const { journal, state, problems, owns } = openLife(context, { owner: card.name, incarnation }, given)
  const store = openAgentStore({
    owner: card.name,
    log: journal,
    past: state,
    publish(recorded) {
      const state = statesAfter[recorded.entry.type]
      if (state) run.writeMember(memberFile(state))
      context.facts.publish(recorded)
    },
  })
  const { ledger, memory } = store
  const append = context.box.durability === 'power' ? durably(ledger.record, journal) : ledger.record
  const { debts } = state.work
  const restrictions = () => carriedBy(card, { debts, board, name: card.name }, { context, ...store })
  const log = mailLogOf(append, state.mail, sentUnder(run.journalFile(card.name)))
  const opened = { ...store, log, incarnation, owns, restrictions }
  const mailbox = closingOnError(ledger.close, () => openBox(context, card, opened))
  let waiting = 0
  const memberFile = (state: MemberState) => ({
    id: agentId(card.name, context.team.name),
    incarnation,
    executor: card.executor,
    ...ownProcess(),
    ...place,
    state,
    unread: waiting,
    live: context.live,
  })
  const close = () => closing({ mailbox, ledger, memory })
  ledger.record(journalWarnings(card.name, problems))
  const unread = (): number => (waiting = mailbox.unread())
  const atWork = (): void => run.writeMember(memberFile('busy'))
  return { ...store, incarnation, mailbox, debts, restrictions, unread, atWork, close }
}

/** Opens the journal for one life; a fresh one begins from nothing in it. */
function openLife(context: RunContext, claim: Parameters<typeof openOwned>[1], { fresh = false }: Given) {
  const owned = openOwned(context, claim, memberFold)
  const renewed = fresh ? owned.journal.append([{ type: 'member.renewed' }]) : []
  for (const entry of renewed) context.facts.publish({ owner: claim.owner, entry })
  return owned
}

/** Returns the end of what is still being ended, if anything. */
function closing({ mailbox, ledger, memory }: Pick<MemberStore, 'mailbox' | 'ledger' | 'memory'>) {
  mailbox.close()
  ledger.close()
  return endJobs(memory)
}

/** The journal of a member tells an agent's past, and the mail. */
export const memberFold: EntryFold<AgentPast & { readonly mail: MailMemory }> = (() => {
  const agent = agentFold('life')
  return {
    version: `${agent.version} ${mailFold.version}`,
    empty: () => ({ ...agent.empty(), mail: mailFold.empty() }),
    apply(past, entry) {
      agent.apply(past, entry)
      mailFold.apply(past.mail, entry)
    },
  }
})()

/** A member that has drained is gone in the same step: nobody would see a file that says the former. */
const statesAfter: Partial<Record<Entry['type'], MemberState>> = {
  'member.woke': 'busy',
  'member.idled': 'idle',
  'member.gone': 'gone',
}

interface OpenedMember {
  readonly log: MailLog
  readonly incarnation: string
  readonly owns: () => void
  readonly restrictions: () => readonly Restriction[]
  readonly conversation: Conversation
}

/** Long mail is shown with its beginning where there is no room for the whole; what a member is to do is shown whole. */
function fitting(conversation: Conversation, { store }: RunMail): MailboxOptions['fit'] {
  if (!store) return undefined
  return (mail) => {
    const whole = mail.map((each) => (isSpoken(each) && !isTask(each) ? each.body.length : 0))
    const lengths = shownLengths(whole, Math.min(mailRoom(conversation), wholeMailRoom(conversation)))
    return mail.map(({ body }, place) => {
      const chars = lengths[place] ?? 0
      return chars === (whole[place] ?? 0) ? null : { chars, path: store(body).path }
    })
  }
}

function openBox(
  context: Pick<RunContext, 'run' | 'team' | 'box' | 'doorbell' | 'seal' | 'deliverability'>,
  { name }: MemberCard,
  { log, conversation, ...own }: OpenedMember,
): Mailbox {
  const { run, team, box, doorbell, seal, deliverability } = context
  const from = agentId(name, team.name)
  const fit = fitting(conversation, box)
  const { incarnation, owns, restrictions } = own
  return createMailbox({
    ...box,
    owner: name,
    from,
    log,
    doorbell,
    seal,
    deliverability,
    incarnation,
    owns,
    restrictions,
    fit,
    attached: (sha256) => storedAttachments(run.artifacts, sha256),
  })
}
