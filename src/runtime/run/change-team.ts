import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { runDirectory } from '../../adapters/sessions/run-directory.ts'
import { teamHash } from '../../adapters/teams/team-hash.ts'
import type { RunFile } from '../../protocol/team/run.ts'
import type { ResolvedTeam } from '../../protocol/team/team-card.ts'
import { withModels } from '../../adapters/teams/named-models.ts'
import { cardOfModel } from '../../adapters/teams/team-edits.ts'
import type { TeamEdit } from '../../protocol/team/team-edit.ts'
import type { Clock } from '../actors/clock.ts'
import { ownPlace } from '../actors/own-place.ts'
import { openTeamJournal } from '../journals/team-journal.ts'
import { openModels } from '../models/open-models.ts'
import { NotResumable } from '../runs/not-resumable.ts'
import { placeMembers } from '../runs/place-members.ts'
import type { Say } from '../runs/take-over.ts'
import { settingsModels } from '../settings/load-rules.ts'
import { loadTeam, refuseUnknown, TeamFileError } from '../team-files/load-team.ts'
import { teamDifferences } from '../team-files/team-difference.ts'
import { placedModel, wishFor } from '../team-files/wished-model.ts'
import { withBudget } from './launch-of.ts'
import type { RunTeamOptions } from './run-team.ts'

/** How the team that leads on may differ from the one that the run began with. */
export interface TeamChange {
  /** `provider/model` for every member from now on; without it `TROUPE_MODEL` of `env` holds, where no script answers. */
  readonly model?: string | undefined
  /** Models that answer for every member from now on when its own cannot. */
  readonly fallback?: readonly string[] | undefined
  /** Goes on with the team file as it is now, instead of as it was when the run began. */
  readonly reload?: boolean | undefined
  /**
   * Values that stand for those of the team file from now on: `[{ key: 'ana.prompt', value: 'Be brief.' }]`. The file has
   * to say what it said when the run began, unless `reload` takes what it says now.
   */
  readonly with?: readonly TeamEdit[] | undefined
}

/** A change of a team, and the place of it. */
export type ChangeOptions = TeamChange &
  Pick<RunTeamOptions, 'env' | 'home' | 'policyRoot' | 'interactive' | 'tools' | 'providers' | 'executors'> & {
    readonly onNote?: Say | undefined
    readonly clock: Clock
  }

/**
 * The team that a run goes on with: the one it has, with what is wished otherwise. What the team file says otherwise by now
 * is told. Everything about the new team is looked at before anything of the run is changed.
 *
 * @param file of a run that nobody leads
 * @throws NotResumable, TeamFileError, or what keeps a model from being opened
 */
export async function changeTeam(dir: string, file: RunFile, options: ChangeOptions): Promise<ResolvedTeam> {
  const team = await changedTeam(file, options)
  const changes = teamDifferences(file.team, team)
  if (changes.length === 0) return file.team
  stateChange(dir, { team, changes }, options.clock)
  options.onNote?.(`${basename(dir)} goes on with another team: ${changes.join('; ')}`)
  return team
}

/**
 * The team of a run with what is wished otherwise; nothing is written.
 * @throws what `changeTeam` throws; NotResumable, too, when values for it change nothing
 */
export async function changedTeam(file: RunFile, options: ChangeOptions): Promise<ResolvedTeam> {
  const { clock } = options
  const base = await reloaded(file, options)
  const wished = wishedTeam(base, options)
  if (teamDifferences(file.team, wished).length === 0) {
    if (!options.with?.length) return file.team
    throw new NotResumable(`the team has ${options.with.map(({ key }) => key).join(', ')} so already`)
  }
  const team = { ...wished, hash: teamHash(wished) }
  const { env = ownPlace.env, home = ownPlace.home, policyRoot, providers } = options
  const { servers } = settingsModels({ cwd: file.cwd, home, policyRoot })
  await refuseUnknown(team, { ...options, servers })
  // Whether a person trusts the team's own servers is asked when the run is led on.
  await openModels(team, { env, home, providers, clock, servers: { ...(await servers()), ...team.providers } })
  return team
}

/** Writes the team with which a run goes on, and states what it has otherwise. */
export function stateChange(
  dir: string,
  { team, changes }: { readonly team: ResolvedTeam; readonly changes: readonly string[] },
  clock: Clock,
): void {
  const run = runDirectory(dir, team)
  const { journal } = openTeamJournal({ run, clock }, clock.mint())
  try {
    run.writeTeam(team)
    journal.append([{ type: 'team.changed', hash: team.hash, changes: [...changes] }])
  } finally {
    journal.close()
  }
}

function wishedTeam(base: ResolvedTeam, { model, fallback, env, with: edits = [] }: ChangeOptions): ResolvedTeam {
  const team = model === undefined ? base : withoutOlderModels(base, edits)
  const lead = team.members.find(({ name }) => name === team.coordinator)
  const wish = wishFor(lead?.model, { model, env })
  const placed = (name: string): string => placedModel(name, ownPlace.cwd)
  return withModels(team, {
    ...(wish === undefined ? {} : { model: placed(wish.model) }),
    ...(fallback === undefined ? {} : { fallback: fallback.map(placed) }),
  })
}

/** A model for everybody goes before those that members were given earlier. */
function withoutOlderModels(team: ResolvedTeam, edits: readonly TeamEdit[]): ResolvedTeam {
  const { with: all } = team.named ?? {}
  if (all === undefined) return team
  const latest = new Set(edits.map(({ key }) => key))
  const held = all.filter((edit) => cardOfModel(edit) === null || latest.has(edit.key))
  return { ...team, named: { ...team.named, with: held } }
}

/** The team as its file says now where that is wished for; else the one that runs, and a note of what the file says. */
async function reloaded(run: RunFile, options: ChangeOptions): Promise<ResolvedTeam> {
  const { reload = false, with: edits = [], onNote } = options
  const { file } = run.team
  if (!reload && edits.length === 0 && (onNote === undefined || !existsSync(file))) return run.team
  try {
    const present = await presentTeam(run, options)
    const changes = teamDifferences(run.team, present)
    if (edits.length > 0) {
      if (!reload && changes.length > 0) throw new NotResumable(driftText(file, changes))
      return keepingMembers(run.team, await presentTeam(run, options, edits.map(placedEdit)))
    }
    if (reload) return keepingMembers(run.team, present)
    if (changes.length > 0) {
      onNote?.(`${file} differs from the team that the run began with, and --reload takes it: ${changes.join('; ')}`)
    }
  } catch (error) {
    if (reload || edits.length > 0 || !(error instanceof TeamFileError)) throw error
    onNote?.(`${file} has mistakes by now; the run goes on with the team that it began with`)
  }
  return run.team
}

function driftText(file: string, changes: readonly string[]): string {
  return `${file} differs from the team that the run began with (${changes.join('; ')}); --reload takes that, too`
}

/** A script named by a person lies where the person is. */
function placedEdit(edit: TeamEdit): TeamEdit {
  if (cardOfModel(edit) === null || typeof edit.value !== 'string') return edit
  return { ...edit, value: placedModel(edit.value, ownPlace.cwd) }
}

async function presentTeam(
  { cwd, team, launch = {} }: RunFile,
  options: ChangeOptions,
  edits: readonly TeamEdit[] = [],
): Promise<ResolvedTeam> {
  const { env = ownPlace.env, home = ownPlace.home, policyRoot, interactive = false } = options
  const { fallback, model, append_prompt: appendSystemPrompt, with: earlier = [] } = team.named ?? {}
  const { servers } = settingsModels({ cwd, home, policyRoot })
  const named = { model, fallback, appendSystemPrompt, with: [...earlier, ...edits] }
  const loaded = await loadTeam(team.file, { ...options, env: {}, servers, ...named })
  return placeMembers(withBudget(loaded, launch.budgetUsd), { executor: launch.executor, env, interactive }).team
}

/** @throws NotResumable when somebody who has worked in the run would be nobody */
function keepingMembers(before: ResolvedTeam, after: ResolvedTeam): ResolvedTeam {
  const names = after.members.map(({ name }) => name)
  const gone = before.members.filter(({ name }) => !names.includes(name)).map(({ name }) => name)
  if (before.name !== after.name || before.coordinator !== after.coordinator) {
    throw new NotResumable(`${after.file} names another team or coordinator than the run has: start a new run with it`)
  }
  if (gone.length === 0) return after
  throw new NotResumable(`${after.file} has no ${gone.join(', ')} any more: put that back, or start a new run with it`)
}
