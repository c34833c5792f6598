import { mailLogOf, type MailLog } from '../adapters/mailbox/mail-log.ts'
import { openMailbox, type Mailbox } from '../adapters/mailbox/mailbox.ts'
import { ownProcess } from '../adapters/process/liveness.ts'
import type { Entry } from '../protocol/entry.ts'
import { agentId } from '../protocol/ids.ts'
import type { MemberState } from '../protocol/run.ts'
import type { MemberCard } from '../protocol/team-card.ts'
import { applyObligations, emptyObligations, type Obligations } from '../projections/obligations.ts'
import { appendEntry, emptyConversation, type Conversation } from '../rules/context-window.ts'
import { closingOnError } from './closing-on-error.ts'
import { journalWarnings } from './journal-warnings.ts'
import { openLedger, type Ledger } from './ledger.ts'
import { durably } from './mail-options.ts'
import { openOwned } from './owned-journal.ts'
import type { TeamScene } from './team-scene.ts'

/** What lies on a member's desk: its journal with the folds over it, and its mailbox. */
export interface Desk {
  readonly incarnation: string
  readonly ledger: Ledger
  readonly mailbox: Mailbox
  readonly conversation: Conversation
  readonly debts: Obligations
  close(): void
}

/**
 * Becomes the member: claims its journal and inbox, takes up what the journal already says, and reports what in it
 * could not be read.
 * @throws LeaseHeld when another process is this member
 */
export function openDesk(scene: TeamScene, card: MemberCard): Desk {
  const { run, clock } = scene
  const incarnation = clock.mint()
  const conversation = emptyConversation()
  const debts = emptyObligations()
  const { journal, entries, problems } = openOwned(scene, { owner: card.name, incarnation })
  const ledger = openLedger({
    owner: card.name,
    log: journal,
    earlier: entries,
    folds: [(entry) => appendEntry(conversation, entry), (entry) => applyObligations(debts, entry)],
    publish(recorded) {
      const state = statesAfter[recorded.entry.type]
      if (state) run.writeMember(memberFile(state))
      scene.facts.publish(recorded)
    },
  })
  const log = mailLogOf(durably(ledger.record, journal, scene.mail), entries)
  const mailbox = closingOnError(ledger.close, () => openBox(scene, card, { log, incarnation }))
  const memberFile = (state: MemberState) => ({
    id: agentId(card.name, scene.team.name),
    incarnation,
    executor: card.executor,
    ...ownProcess(),
    pane: null,
    state,
    unread: mailbox.unread(),
  })
  const close = (): void => {
    mailbox.close()
    ledger.close()
  }
  ledger.record(journalWarnings(card.name, problems))
  return { incarnation, ledger, mailbox, conversation, debts, close }
}

const statesAfter: Partial<Record<Entry['type'], MemberState>> = {
  'member.woke': 'busy',
  'member.idled': 'idle',
  'member.drained': 'draining',
  'member.gone': 'gone',
}

interface OpenedMember {
  readonly log: MailLog
  readonly incarnation: string
}

function openBox(scene: TeamScene, { name }: MemberCard, { log, incarnation }: OpenedMember): Mailbox {
  const { team, box, doorbell, seal, standing } = scene
  const from = agentId(name, team.name)
  return openMailbox({ ...box, owner: name, from, log, doorbell, seal, standing, incarnation })
}
