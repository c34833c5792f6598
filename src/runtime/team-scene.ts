import type { Doorbell } from '../adapters/mailbox/doorbell.ts'
import type { Standing } from '../adapters/mailbox/outbox.ts'
import type { Seal } from '../adapters/mailbox/seal.ts'
import type { RunDirectory } from '../adapters/sessions/run-directory.ts'
import type { Recorded } from '../protocol/entry.ts'
import type { Model } from '../protocol/model.ts'
import type { PermissionMode, RuleLists } from '../protocol/permission.ts'
import type { Approver } from '../protocol/port.ts'
import type { ResolvedTeam } from '../protocol/team-card.ts'
import type { Broadcast } from './broadcast.ts'
import type { MailSettings, RunMail } from './mail-options.ts'
import type { Clock } from './clock.ts'
import type { Pricing } from './pricing.ts'
import type { Delta } from './surroundings.ts'

/** What all members of one run in this process share. Made once by the composition root, never changed. */
export interface TeamScene {
  readonly team: ResolvedTeam
  /** Names of all members. */
  readonly roster: readonly string[]
  readonly run: RunDirectory
  readonly clock: Clock
  readonly cwd: string
  readonly home: string
  /** For child processes: without credentials. */
  readonly env: Readonly<Record<string, string>>
  readonly mode: PermissionMode | undefined
  readonly rules: RuleLists | undefined
  readonly trusted: boolean
  readonly approver: Approver
  /** By their full names, opened once. */
  readonly models: ReadonlyMap<string, Model>
  readonly pricing: Pricing
  readonly doorbell: Doorbell
  /** Signs and checks the mail of this run. */
  readonly seal: Seal
  readonly mail: MailSettings
  /** What every mailbox of the run is opened with. */
  readonly box: RunMail
  readonly standing: (member: string) => Standing
  readonly facts: Broadcast<Recorded>
  readonly deltas: Broadcast<Delta>
}
