import type { WorkerPlace } from '../../adapters/executors/place.ts'
import type { Doorbell } from '../../adapters/mailbox/watch/doorbell.ts'
import type { Deliverability } from '../../adapters/mailbox/send/outbox.ts'
import type { Seal } from '../../adapters/mailbox/files/read-mail.ts'
import type { RunDirectory } from '../../adapters/sessions/run-directory.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import type { Model } from '../../protocol/models/model.ts'
import type { Settings } from '../../protocol/permissions/settings.ts'
import type { Middleware } from '../../protocol/middleware.ts'
import type { Policy } from '../../protocol/permissions/permission.ts'
import type { MemberCard, ResolvedTeam } from '../../protocol/team/team-card.ts'
import type { Tool } from '../../protocol/tools/tool.ts'
import type { Broadcast } from '../actors/broadcast.ts'
import type { Budgets } from '../budget/budgets.ts'
import type { Approvals } from '../permissions/approvals.ts'
import type { RunHooks } from '../hooks/run-hooks.ts'
import type { RunMcp } from '../mcp/run-mcp.ts'
import type { RunSkills } from '../skills/skills-of.ts'
import type { RunMail } from './mail-options.ts'
import type { Clock } from '../actors/clock.ts'
import type { EarlierRun } from '../runs/earlier-run.ts'
import type { Nesting } from '../runs/run-too-deep.ts'
import type { PlacedTeam } from '../runs/place-members.ts'
import type { Pricing } from '../models/pricing.ts'
import type { LiveSettings } from '../settings/open-settings.ts'
import type { Breakers } from '../recovery/breakers.ts'
import type { Delta } from '../agent/agent-deps.ts'
import type { Workplace } from '../worktrees/workplaces.ts'

/** The things that all members of one run in this process share. Made once by the composition root, never changed. */
export interface RunContext {
  readonly team: ResolvedTeam
  /** Names of all members. */
  readonly roster: readonly string[]
  readonly run: RunDirectory
  readonly clock: Clock
  readonly cwd: string
  /** Where each member works: there, or in a worktree of its own. */
  readonly workplace: (card: MemberCard) => Workplace
  readonly home: string
  /** For child processes: without credentials. */
  readonly env: Readonly<Record<string, string>>
  /** Where workers run that a person should know of. */
  readonly chosen: PlacedTeam['chosen']
  /** Places for workers beside the built-in ones, by name. */
  readonly executors: Readonly<Record<string, WorkerPlace>>
  /** The whole environment, credentials included: for workers in processes of their own, never for tools. */
  readonly ownEnv: Readonly<Record<string, string | undefined>>
  /** The policy of a member at this moment; the same object until something changed. */
  readonly policy: (card: MemberCard) => Policy
  /** Null where the policy was handed over and follows no files. */
  readonly settings: LiveSettings | null
  /** The texts of the workspace that a person trusts at this moment. */
  readonly trusted: () => Settings['trusted']
  /** The hooks of the settings, as they are when a member begins. */
  readonly hooks: RunHooks
  /** Middleware of the program around the members of this process, outside of that of cards and team. */
  readonly middleware?: readonly Middleware[] | undefined
  /** The way to whoever answers when a rule asks. */
  readonly approvals: Approvals
  /** The team's own tools, beside the built-in ones. */
  readonly tools: readonly Tool[]
  /** The MCP servers of the run; null where no member has any. */
  readonly mcp: RunMcp | null
  /** Null where no member uses skills. */
  readonly skills: RunSkills | null
  /** By their full names, opened once. */
  readonly models: ReadonlyMap<string, Model>
  readonly pricing: Pricing
  /** The limits of what the team and its members spend. */
  readonly budgets: Budgets
  /** Of all providers, for all members. */
  readonly breakers: Breakers
  /** How deep in other runs this one is. */
  readonly nesting: Nesting
  readonly doorbell: Doorbell
  /** Signs and checks the mail of this run. */
  readonly seal: Seal
  /** The options that all mailboxes of the run have in common. */
  readonly box: RunMail
  readonly deliverability: (member: string) => Deliverability
  /** The content of the journals before this process led the run. */
  readonly earlier: EarlierRun
  /** Where this process offers its live socket; null where it has none. */
  readonly live: string | null
  readonly facts: Broadcast<Recorded>
  /** Resolves when nobody who reads the facts is too far behind. */
  readonly room: () => Promise<void>
  /** Live text of this process's members. */
  readonly deltas: Broadcast<Delta>
  /** Live text of members in other processes, as far as anybody listens. */
  readonly distant: Broadcast<Delta>
}
