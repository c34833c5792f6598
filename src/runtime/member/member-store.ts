import { mailLogOf, type MailLog } from '../../adapters/mailbox/files/mail-log.ts'
import { createMailbox, type Mailbox } from '../../adapters/mailbox/mailbox.ts'
import { endJobs } from '../../adapters/tools/shell/member-jobs.ts'
import { ownProcess } from '../../adapters/process/liveness.ts'
import type { Entry } from '../../protocol/facts/entry.ts'
import { agentId } from '../../protocol/words/ids.ts'
import type { MemberFile, MemberState } from '../../protocol/team/run.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import { applyAdvice, noAdvice, type AdviceCount } from '../../projections/member/advice-count.ts'
import { applyCallCounts, type CallCounts } from '../../projections/member/call-counts.ts'
import { applyDenials, emptyDenials, type DenialCount } from '../../projections/member/denials.ts'
import { applyLoadedTools, type LoadedTools } from '../../projections/member/loaded-tools.ts'
import { applyObligations, emptyObligations, type Obligations } from '../../projections/team/obligations.ts'
import { applyPause, noPause, type Pause } from '../../projections/member/pause.ts'
import { applyPlanning, emptyPlanning, type Planning } from '../../projections/member/plan-state.ts'
import { applySeenFiles, type SeenFiles } from '../../projections/member/seen-files.ts'
import { appendEntry, emptyConversation, type Conversation } from '../../rules/conversation/context-window.ts'
import { closingOnError } from '../actors/closing-on-error.ts'
import { journalWarnings } from '../journals/journal-warnings.ts'
import { openLedger, type Ledger } from '../journals/ledger.ts'
import { durably } from '../context/mail-options.ts'
import { openOwned } from '../journals/owned-journal.ts'
import type { RunContext } from '../context/run-context.ts'

/** What lies on a member's desk: its journal with the folds over it, and its mailbox. */
export interface MemberStore {
  readonly incarnation: string
  readonly ledger: Ledger
  readonly mailbox: Mailbox
  /** Looks how much mail waits; the member's file says what the last look found. */
  unread(): number
  readonly conversation: Conversation
  readonly debts: Obligations
  /** A limit that the member waits for. */
  readonly pause: Pause
  /** What its classifier refused so far. */
  readonly denials: DenialCount
  /** How often its advisor was asked. */
  readonly advice: AdviceCount
  /** Whether it plans or carries out. */
  readonly planning: Planning
  /** How often it called each tool, in all its lives. */
  readonly calls: CallCounts
  /** What it saw of files, in all its lives. */
  readonly seen: SeenFiles
  /** Deferred tools that it looked up, in all its lives. */
  readonly loaded: LoadedTools
  /** What tools remember between calls. */
  readonly memory: Map<string, unknown>
  /** What is still being ended when this returns, if anything. */
  close(): Promise<unknown> | null
}

/** Which life of a member this is, where its leader has decided that. */
export type Incarnation = Pick<MemberFile, 'incarnation' | 'pane' | 'hello'>

/**
 * Becomes the member: claims its journal and inbox, takes up what the journal already says, and reports what in it
 * could not be read.
 * @throws LeaseHeld when another process is this member
 */
export function openMemberStore(context: RunContext, card: MemberCard, birth?: Incarnation): MemberStore {
  const { run, clock } = context
  const { incarnation, ...place } = birth ?? { incarnation: clock.mint(), pane: null }
  const { folds, ...story } = emptyStory()
  const { journal, entries, problems } = openOwned(context, { owner: card.name, incarnation })
  const ledger = openLedger({
    owner: card.name,
    log: journal,
    earlier: entries,
    folds,
    publish(recorded) {
      const state = statesAfter[recorded.entry.type]
      if (state) run.writeMember(memberFile(state))
      context.facts.publish(recorded)
    },
  })
  const log = mailLogOf(durably(ledger.record, journal, context.box), entries, () => journal.read().entries)
  const mailbox = closingOnError(ledger.close, () => openBox(context, card, { log, incarnation }))
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
  const memory = new Map<string, unknown>()
  const close = (): Promise<unknown> | null => {
    mailbox.close()
    ledger.close()
    return endJobs(memory)
  }
  ledger.record(journalWarnings(card.name, problems))
  const unread = (): number => (waiting = mailbox.unread())
  return { incarnation, ledger, mailbox, unread, ...story, memory, close }
}

/** What a member's journal says of it, before its first line. */
function emptyStory() {
  const conversation = emptyConversation()
  const debts = emptyObligations()
  const pause = noPause()
  const denials = emptyDenials()
  const planning = emptyPlanning()
  const advice = noAdvice()
  const calls: CallCounts = {}
  const seen: SeenFiles = new Map()
  const loaded: LoadedTools = new Set()
  const folds = [
    (entry: Entry): void => appendEntry(conversation, entry),
    (entry: Entry): void => applyObligations(debts, entry),
    (entry: Entry): void => applyPause(pause, entry),
    (entry: Entry): void => applyDenials(denials, entry),
    (entry: Entry): void => applyPlanning(planning, entry),
    (entry: Entry): void => applyAdvice(advice, entry),
    (entry: Entry): void => applyCallCounts(calls, entry),
    (entry: Entry): void => applySeenFiles(seen, entry),
    (entry: Entry): void => applyLoadedTools(loaded, entry),
  ]
  return { conversation, debts, pause, denials, planning, advice, calls, seen, loaded, folds }
}

/** A member that has drained is gone in the same step: nobody would see a file that says the former. */
const statesAfter: Partial<Record<Entry['type'], MemberState>> = {
  'member.woke': 'busy',
  'member.idled': 'idle',
  'member.gone': 'gone',
}

interface OpenedMember {
  readonly log: MailLog
  readonly incarnation: string
}

function openBox(context: RunContext, { name }: MemberCard, { log, incarnation }: OpenedMember): Mailbox {
  const { team, box, doorbell, seal, deliverability } = context
  const from = agentId(name, team.name)
  return createMailbox({ ...box, owner: name, from, log, doorbell, seal, deliverability, incarnation })
}
