import { dirname } from 'node:path'
import { syncFolder } from '../../adapters/fs/sync.ts'
import type { Durability } from '../../adapters/mailbox/files/make-folder.ts'
import type { MailboxOptions } from '../../adapters/mailbox/mailbox.ts'
import { storeArtifact } from '../../adapters/sessions/artifacts.ts'
import type { Journal } from '../../adapters/sessions/journal.ts'
import type { RunDirectory } from '../../adapters/sessions/run-directory.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import { durabilities } from '../../protocol/team/mail-policy.ts'
import type { ResolvedTeam } from '../../protocol/team/team-card.ts'
import { mailTraceparent } from '../../rules/telemetry/trace-ids.ts'
import type { Clock } from '../actors/clock.ts'
import { mailFates } from '../journals/mail-fates.ts'

/** How the mail of a run is kept. */
export interface MailSettings {
  /** `process` (default): what was said survives `kill -9`. `power`: it survives a power cut, at a few ms a message. */
  readonly durability?: Durability
  /** Unread mail a member may have before senders are refused (10,000). */
  readonly maxUnread?: number
}

/** @throws where a program without types gave what would be no bound, or no durability */
export function checkMailSettings({ maxUnread = 1, durability = 'process' }: MailSettings): void {
  if (!Number.isSafeInteger(maxUnread) || maxUnread < 1)
    throw new Error(`mail.maxUnread is ${maxUnread}: it has to be a whole number above 0`)
  if (!durabilities.includes(durability))
    throw new Error(`mail.durability is ${JSON.stringify(durability)}: it has to be ${durabilities.join(' or ')}`)
}

/** The options that all mailboxes of a run have in common, whoever opens them. */
export type RunMail = Pick<
  MailboxOptions,
  | 'dir'
  | 'team'
  | 'roster'
  | 'roles'
  | 'now'
  | 'mint'
  | 'store'
  | 'durability'
  | 'maxUnread'
  | 'keep'
  | 'fate'
  | 'timers'
  | 'traceparent'
>

export interface RunMailOptions {
  readonly run: RunDirectory
  readonly team: Pick<ResolvedTeam, 'name' | 'members' | 'mail'>
  readonly clock: Clock
  readonly mail: MailSettings
  /** The trace that the run belongs to. */
  readonly traceparent?: string | undefined
}

export function runMail({ run, team, clock, mail, traceparent }: RunMailOptions): RunMail {
  const settings = mailSettings(team, mail)
  return {
    dir: run.mail,
    team: team.name,
    roster: team.members.map(({ name }) => name),
    roles: Object.fromEntries(team.members.map(({ name, card }) => [name, card])),
    now: clock.now,
    mint: clock.mint,
    store: storing(run.artifacts, settings),
    fate: mailFates(run),
    traceparent: (id) => mailTraceparent(run.id, traceparent, id),
    timers: { set: (act, ms) => clock.setTimeout(act, ms), clear: (timer) => clock.clearTimeout(timer) },
    ...settings,
  }
}

/** The team's own settings of its mail, under those of whoever runs it. */
function mailSettings(
  { mail }: RunMailOptions['team'],
  given: MailSettings,
): Pick<RunMail, 'durability' | 'maxUnread' | 'keep'> {
  if (!mail) return given
  const { max_unread, durability, archive } = mail
  return { maxUnread: max_unread, durability, keep: { count: archive.count, ms: archive.age_ms }, ...given }
}

/** A long text is on the disk before the mail that points to it, where the run wants that: its name and its folder's, too. */
function storing(artifacts: string, { durability }: MailSettings): NonNullable<MailboxOptions['store']> {
  return (text) => {
    const stored = storeArtifact(artifacts, text)
    if (durability === 'power') for (const folder of [artifacts, dirname(artifacts)]) syncFolder(folder)
    return stored
  }
}

/**
 * Brings facts about mail to the disk before anything follows from them. Once the disk has
 * refused, nothing more is appended.
 */
export function durably(
  append: (facts: readonly Fact[]) => void,
  journal: Pick<Journal, 'sync'>,
): (facts: readonly Fact[]) => void {
  let unsynced: Error | null = null
  return (facts) => {
    // The journal says something that its reader does not know: whoever opens it again reads what holds.
    if (unsynced !== null) throw unsynced
    append(facts)
    if (facts.length === 0) return
    try {
      journal.sync()
    } catch (error) {
      unsynced = error instanceof Error ? error : new Error(String(error))
      throw unsynced
    }
  }
}
