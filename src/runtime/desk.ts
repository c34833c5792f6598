import { mailLogOf } from '../adapters/mailbox/mail-log.ts'
import { openMailbox, type Mailbox } from '../adapters/mailbox/mailbox.ts'
import { ownProcess } from '../adapters/process/liveness.ts'
import type { Entry } from '../protocol/entry.ts'
import { agentId } from '../protocol/ids.ts'
import type { MemberState } from '../protocol/run.ts'
import type { MemberCard } from '../protocol/team-card.ts'
import { applyObligations, emptyObligations, type Obligations } from '../projections/obligations.ts'
import { appendEntry, emptyConversation, type Conversation } from '../rules/context-window.ts'
import { openLedger, type Ledger } from './ledger.ts'
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

/** Opens a member's journal, takes up what it already says, and claims the member's inbox. */
export function openDesk(scene: TeamScene, card: MemberCard): Desk {
  const { run, clock } = scene
  const incarnation = clock.mint()
  const conversation = emptyConversation()
  const debts = emptyObligations()
  const { journal, entries } = run.openJournal(card.name, clock.now)
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
  const mailbox = openBox(scene, card, { ledger, entries })
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
  return { incarnation, ledger, mailbox, conversation, debts, close }
}

const statesAfter: Partial<Record<Entry['type'], MemberState>> = {
  'member.woke': 'busy',
  'member.idled': 'idle',
  'member.drained': 'draining',
  'member.gone': 'gone',
}

function openBox(
  { team, roster, run, clock, doorbell }: TeamScene,
  { name }: MemberCard,
  { ledger, entries }: { readonly ledger: Ledger; readonly entries: readonly Entry[] },
): Mailbox {
  return openMailbox({
    dir: run.mail,
    owner: name,
    from: agentId(name, team.name),
    team: team.name,
    roster,
    log: mailLogOf(ledger.record, entries),
    now: clock.now,
    mint: clock.mint,
    doorbell,
  })
}
