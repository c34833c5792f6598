import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDoorbell, type Doorbell } from '../../src/adapters/mailbox/watch/doorbell.ts'
import { mailLogOf, type MailLog } from '../../src/adapters/mailbox/files/mail-log.ts'
import { createMailbox, type Mailbox } from '../../src/adapters/mailbox/mailbox.ts'
import { sealOf } from '../../src/adapters/mailbox/files/read-mail.ts'
import { LeaseHeld, LeaseLost } from '../../src/adapters/lease/lease.ts'
import { runDirectory } from '../../src/adapters/sessions/run-directory.ts'
import { readRunKey } from '../../src/adapters/sessions/run-key.ts'
import { agentId } from '../../src/protocol/words/ids.ts'
import { systemClock } from '../../src/runtime/actors/clock.ts'
import { openOwned } from '../../src/runtime/journals/ledger.ts'
import { mailFold } from '../../src/adapters/mailbox/files/mail-memory.ts'

/** What one life of a chaos process is to do, and where it is to end. */
export interface Plan {
  readonly home: string
  readonly dir: string
  readonly name: string
  readonly senders: readonly string[]
  readonly receivers: readonly string[]
  /** Finish what is begun and leave, instead of living until killed. */
  readonly last?: true
  /** Die by SIGKILL, or another signal, when this step happens for the n-th time. */
  readonly kill?: { readonly step: string; readonly nth: number; readonly signal?: NodeJS.Signals }
}

export interface Member {
  readonly plan: Plan
  readonly log: MailLog
  readonly box: Mailbox
  readonly doorbell: Doorbell
  /** Notes something outside of journal and mailbox, to be compared with them afterwards. */
  note(line: string): void
}

export const refusedExit = 3
/** Of a process whose successor came while it was frozen. */
export const outlivedExit = 4

/** Opens the member of the plan on the command line, with its real lease, journal and mailbox. */
export function openMember(): Member {
  const plan = JSON.parse(process.argv[2] ?? '') as Plan
  try {
    return open(plan, killer(plan))
  } catch (error) {
    if (!(error instanceof LeaseHeld)) throw error
    console.log('refused')
    return process.exit(refusedExit)
  }
}

function killer({ kill }: Plan): (step: string) => void {
  let seen = 0
  return (step) => {
    if (step === kill?.step && (seen += 1) === kill.nth) process.kill(process.pid, kill.signal ?? 'SIGKILL')
  }
}

/** A process that lost its lease writes nothing and ends. */
function unlessOutlived<Done>(append: () => Done): Done {
  try {
    return append()
  } catch (error) {
    if (error instanceof LeaseLost) process.exit(outlivedExit)
    throw error
  }
}

function open(plan: Plan, step: (step: string) => void): Member {
  const { dir, home, name } = plan
  const clock = systemClock()
  const run = runDirectory(dir, { name: 'chaos', coordinator: 'lead' })
  const claim = { owner: name, incarnation: clock.mint(), step }
  const { journal, state, owns } = openOwned({ run, clock }, claim, mailFold)
  const log = mailLogOf((facts) => void unlessOutlived(() => journal.append(facts)), state)
  const doorbell = createDoorbell()
  const box = createMailbox({
    dir: run.mail,
    owner: name,
    from: agentId(name, 'chaos'),
    team: 'chaos',
    // Mail to everybody goes to those who read.
    roster: plan.receivers,
    confirm: 'done',
    log,
    doorbell,
    now: clock.now,
    mint: clock.mint,
    seal: sealOf(readRunKey(home, run.id)),
    step,
    owns: () => unlessOutlived(owns),
  })
  return { plan, log, box, doorbell, note: (line) => appendFileSync(join(home, `${name}.notes`), `${line}\n`) }
}
