import { LeaseHeld } from '../../adapters/lease/lease.ts'
import { readRunFile, unreadableRun } from '../../adapters/sessions/read-run.ts'
import { runDirectory } from '../../adapters/sessions/run-directory.ts'
import type { EntryOf } from '../../projections/fold/fold.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { RunFile } from '../../protocol/team/run.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import type { ChoiceAsk } from '../../protocol/work/choice-ask.ts'
import { modeRefusal } from '../../rules/permissions/mode.ts'
import { systemClock } from '../actors/clock.ts'
import { ownPlace } from '../actors/own-place.ts'
import { openOwned } from '../journals/ledger.ts'
import { memberFold } from '../member/member-store.ts'
import { openModels, serversOf } from '../models/open-models.ts'
import { loadRules } from '../settings/load-rules.ts'
import { runPolicies } from '../settings/read-choices.ts'
import { askMember, cardIn } from './ask-member.ts'
import { UsageError } from '../../protocol/words/usage-error.ts'

/** A person's choice for one member of a run. */
export type MemberChoice = ChoiceAsk & {
  readonly member: string
  /** Where the run's key and the person's settings are; default: the user's directory. */
  readonly home?: string
  /** Where credentials of models are looked up for a member that does not run. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The directory of the managed policy. */
  readonly policyRoot?: string
  /** Gives up waiting for a member that runs. */
  readonly signal?: AbortSignal
}

/** A choice that does not count, and why. */
export class NotChosen extends UsageError {
  override readonly name = 'NotChosen'
}

/**
 * Chooses another model, or another permission mode, for a member from its next question on, whether it runs or not. The
 * choice is a line of its journal and outlives the run; `bypassPermissions` only where a person opened it at the start.
 *
 * @param dir the run directory
 * @throws NotChosen when there is no such run or member, and when the model cannot be opened or the mode may not be had
 * @example await chooseForMember(dir, { member: 'lead', choose: 'mode', value: 'plan', env: process.env })
 */
export async function chooseForMember(dir: string, choice: MemberChoice): Promise<void> {
  const file = readRunFile(dir)
  if (!file) throw new NotChosen(unreadableRun(dir))
  const refused = await settle(dir, file, choice).catch((error: unknown) => errorText(error))
  if (refused !== null) throw new NotChosen(`${choice.choose} ${choice.value}: ${refused}`)
}

/** @returns why the choice does not count; null when it does */
async function settle(dir: string, file: RunFile, choice: MemberChoice): Promise<string | null> {
  const card = cardIn(file, choice.member)
  try {
    return await settleAtRest(dir, file, { card, choice })
  } catch (error) {
    if (!(error instanceof LeaseHeld)) throw error
  }
  const { choose, value, home = ownPlace.home, signal } = choice
  const body = JSON.stringify({ choose, value })
  const asked = {
    dir,
    team: file.team,
    member: card.name,
    home,
    signal,
    body,
    key: `choose:${body}:${systemClock().mint()}`,
  }
  const { refused = null } = await askMember(asked, (entry, mail) => (isOf(entry, mail) ? entry : null))
  return refused
}

function isOf(entry: { readonly type: string }, mail: string): entry is EntryOf<'model.chosen' | 'mode.chosen'> {
  return (entry.type === 'model.chosen' || entry.type === 'mode.chosen') && 'mail_id' in entry && entry.mail_id === mail
}

interface AtRest {
  readonly card: MemberCard
  readonly choice: MemberChoice
}

/** The member does not run: this process is its journal's owner for a moment. */
async function settleAtRest(dir: string, file: RunFile, { card, choice }: AtRest): Promise<string | null> {
  const clock = systemClock()
  const run = runDirectory(dir, file.team)
  const { journal } = openOwned({ run, clock }, { owner: card.name, incarnation: clock.mint() }, memberFold)
  try {
    const refused = await refusalOf(dir, file, { card, choice })
    if (refused === null) journal.append([factOf(choice)])
    return refused
  } finally {
    journal.close()
  }
}

function factOf({ choose, value }: ChoiceAsk): Fact {
  return choose === 'mode' ? { type: 'mode.chosen', mode: value } : { type: 'model.chosen', model: value }
}

async function refusalOf(
  dir: string,
  { team, cwd, launch }: RunFile,
  { card, choice }: AtRest,
): Promise<string | null> {
  const { choose, value, home = ownPlace.home, policyRoot, env } = choice
  if (choose === 'mode') {
    const policy = await runPolicies(dir, { home, policyRoot })
    return policy === null ? unreadableRun(dir) : modeRefusal(policy(card), value)
  }
  const servers = serversOf(team, await loadRules({ cwd, home, policyRoot, trusted: launch?.trusted }))
  const one = { ...team, members: [{ ...card, model: value }] }
  await openModels(one, { env, home, clock: systemClock(), servers, dir })
  return null
}
