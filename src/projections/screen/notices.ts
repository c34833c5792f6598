import { failureText } from '../../protocol/conversation/failure.ts'
import { leaderName } from '../../protocol/words/ids.ts'
import type { Aside } from '../../protocol/models/model-fact.ts'
import { awaitedBy } from '../../protocol/tools/own-question.ts'
import { foldOver, ignore } from '../fold/fold.ts'
import { limitText } from '../../rules/team/wind-down-text.ts'
import { recoveryText, type RecoveryFact } from './recovery-text.ts'

/** News that a person has to know while the run goes on. */
export interface Notice {
  readonly severity: 'warning' | 'error'
  readonly text: string
}

export function emptyNotices(): Notice[] {
  return []
}

/** The way out of a member whose budget has no room for asking another model. */
const without: Readonly<Record<Aside, string>> = {
  advice: 'goes on without advice',
  sampling: 'lets no server ask its model',
  permission: 'has its call judged without the classifier',
  escalation: 'goes on without the stronger model',
  hook: 'does without a hook that asks a model',
  memory: 'has nothing taken into its memory',
  summary: 'has its conversation summarised without a model',
}

/** Adds what one fact gives reason to say: denials, crashes, lost mail, failed work, dropped events. */
export const applyNotices = foldOver<
  Notice[],
  | 'permission'
  | 'life'
  | 'stop'
  | 'mail'
  | 'request'
  | 'loop'
  | 'notice'
  | 'recovery'
  | 'budget'
  | 'worktree'
  | 'handling'
  | 'work'
>({
  'budget.leased': ignore,
  'budget.returned': ignore,
  'budget.warned': (notices, { scope, unit }, owner) => {
    // The leader gives more while there is more.
    if (scope === 'lease') return
    warn(notices, `${scope === 'team' ? 'the team' : owner} has used four fifths of ${limitText({ scope, unit })}`)
  },
  'budget.exhausted': (notices, { scope, unit, last, aside }, owner) => {
    const limit = limitText({ scope, unit })
    const isOfLeader = owner === leaderName
    const who = isOfLeader ? 'the coordinator' : owner
    if (aside !== undefined) warn(notices, `${owner} ${without[aside]}: ${limit} has no room for it`)
    else if (isOfLeader && last) warn(notices, `nobody is started any more: ${limit} is used up`)
    else warn(notices, `${who} ${last ? 'ends' : 'is to report'}: ${limit} is used up`)
  },
  'permission.requested': (notices, { request, tool, decision }, owner) =>
    warn(notices, `${owner}: ${tool} waits for ${awaitedBy(tool)} (${request}): ${decision.rule ?? decision.reason}`),
  'permission.decided': (notices, { tool, decision }, owner) => {
    const { behavior, reason, rule } = decision
    if (behavior === 'deny')
      warn(notices, `${owner}: ${tool} denied${rule === undefined ? '' : ` by ${rule}`}: ${reason}`)
  },
  'member.spawned': ignore,
  'member.started': ignore,
  'member.woke': ignore,
  'member.idled': ignore,
  'member.drained': ignore,
  'member.gone': ignore,
  'member.crashed': (notices, { member, error }) => alarm(notices, `${member} crashed: ${error}`),
  'member.lost': (notices, { member, reason }) => alarm(notices, `${member} is lost: ${reason}`),
  'member.refused': (notices, { member, reason }) => warn(notices, `${member} is not started: ${reason}`),
  'stop.asked': ignore,
  'stop.refused': (notices, { member, reason }) => warn(notices, `${member} does not stop: ${reason}`),
  'member.stopped': (notices, { member, reason, forced }) => {
    if (forced) warn(notices, `${member} was stopped by force: ${reason}`)
  },
  'member.restarted': (notices, { member, by }) => warn(notices, `${member} is restarted by ${by}`),
  'member.renewed': ignore,
  'model.chosen': (notices, { model, refused }, owner) => {
    if (refused !== undefined) warn(notices, `${owner}: its model is not changed to ${model}: ${refused}`)
  },
  'mode.chosen': (notices, { mode, refused }, owner) => {
    if (refused !== undefined) warn(notices, `${owner}: its mode is not changed to ${mode}: ${refused}`)
  },
  'mail.sent': ignore,
  'mail.received': ignore,
  'mail.handled': ignore,
  'mail.died': (notices, { mail_id, file, kind, reason }, owner) => {
    // A task that its sender took back is missed by no member.
    if (owner === leaderName && kind === 'task') return
    alarm(notices, `${owner}: mail ${mail_id ?? file} could not be delivered: ${reason}`)
  },
  'member.replied': ignore,
  'request.held': ignore,
  'request.opened': (notices, { worker, instead_of }) => {
    if (!instead_of) return
    const { worker: other, reason } = instead_of
    warn(notices, `${worker} stands in for ${other}, who failed${reason === undefined ? '' : `: ${reason}`}`)
  },
  'request.settled': (notices, { worker, status, reason }) => {
    if (status === 'done') return
    warn(notices, `${worker}: work ${status.replace('_', ' ')}${reason === undefined ? '' : `: ${reason}`}`)
  },
  'agent.started': ignore,
  'turn.continued': ignore,
  'agent.parked': ignore,
  'agent.ended': (notices, { failure }, owner) => {
    if (failure) alarm(notices, `${owner}: ${failure.code}: ${failureText(failure)}`)
  },
  'model.retried': recovered,
  'model.given_up': ignore,
  'model.paused': recovered,
  'model.waiting': ignore,
  'model.resumed': ignore,
  'model.fell_back': recovered,
  'model.conceded': recovered,
  'cache.extended': ignore,
  'model.counted': ignore,
  'model.described': ignore,
  'breaker.opened': recovered,
  'breaker.closed': recovered,
  'worktree.opened': ignore,
  'worktree.closed': (notices, { member, tree, kept, dirty, unmerged, branches = [] }) => {
    if (branches.length > 0) warn(notices, `${member} worked on ${branches.join(', ')}, which stays`)
    if (!kept) return
    const commits = unmerged === 0 ? [] : [`${unmerged} unmerged ${unmerged === 1 ? 'commit' : 'commits'}`]
    const files = dirty === 0 ? [] : [`${dirty} uncommitted ${dirty === 1 ? 'file' : 'files'}`]
    // Other runs may have left a tree of a member of this name.
    const name = tree.split('/').slice(-2).join('/')
    warn(
      notices,
      `the worktree of ${member} holds ${[...commits, ...files].join(' and ')}: troupe worktrees merge ${name}`,
    )
  },
  'call.coerced': ignore,
  // Of all that a model gets wrong and mends by itself, only what it was never going to get.
  'call.refused': (notices, { tool, why, reason }, owner) => {
    if (why === 'unknown') warn(notices, `${owner}: ${tool} refused: ${reason.split('\n', 1).join('')}`)
  },
  'call.retried': ignore,
  'call.reused': ignore,
  'call.limited': (notices, { tool, limit, then }, owner) => {
    const rest = then === 'block' ? 'further calls are refused' : 'it was told to stop'
    warn(notices, `${owner}: ${tool} was called ${limit} times, which is its limit: ${rest}`)
  },
  'turn.overflowed': ignore,
  'context.compacted': (notices, { trigger, before, after, reason }, owner) => {
    const left = Math.round((after / before) * 100)
    const why = trigger === 'manual' ? 'was to be made shorter' : 'had become too long'
    const how = reason === undefined ? '' : `, and no model has summarised the rest: ${reason}`
    warn(notices, `${owner}: its conversation ${why}; the model sees ${left}% of it from now on${how}`)
  },
  'memory.extracted': ignore,
  'prompt.changed': (notices, { moved, chars }, owner) => {
    if (chars === 0) return
    warn(notices, `${owner}: its prompt changed (${moved.join(', ')}); ${chars} characters of it are read anew`)
  },
  'turns.undone': (notices, { from, files }, owner) =>
    warn(
      notices,
      `${owner}: a person took back what it did from ${from} on; ${files.length} files are as they were before`,
    ),
  'model.escalated': (notices, { from, to, trigger }, owner) =>
    warn(notices, `${owner}: ${to} goes on instead of ${from} (${trigger})`),
  'skill.opened': ignore,
  'plan.entered': ignore,
  'plan.approved': ignore,
  'todos.changed': ignore,
  'verify.started': ignore,
  'verify.settled': (notices, { command, verdict, after, reason = '' }, owner) => {
    if (verdict === 'not_run') warn(notices, `${owner}: its work is not checked: ${command}: ${reason}`)
    else if (verdict === 'failed' && after === 'end') warn(notices, `${owner}: its work does not pass ${command}`)
  },
  'executor.chosen': (notices, { executor, members, why, look }) =>
    warn(notices, `${members.join(', ')} in ${executor} (${why})${look === null ? '' : `: ${look}`}`),
  'member.hung': (notices, { member, last, silent_ms, stirred_ms }) =>
    warn(
      notices,
      stirred_ms === undefined
        ? `${member} is silent: nothing came of it for ${seconds(silent_ms)} since ${last}`
        : `${member} stalls: no step for ${seconds(silent_ms)} since ${last}, though output came ${seconds(stirred_ms)} ago`,
    ),
  'event.dropped': (notices, { actor, event, state }, owner) =>
    warn(notices, `${owner}: ${actor} had no use for ${event} in ${state}`),
  'mcp.changed': (notices, { server, state, reason }) => {
    if (state === 'failed' || state === 'needs-auth') warn(notices, `MCP server ${server}: ${state}: ${reason ?? ''}`)
  },
  'hook.ran': (notices, { event, hook, outcome, duration_ms, message }, owner) => {
    const failed = outcome === 'error' || outcome === 'cancelled'
    if (failed) warn(notices, `${owner}: hook error: ${event} hook "${hook}": ${message ?? ''}`)
    else if (duration_ms > slowHookMs)
      warn(notices, `${owner}: the ${event} hook "${hook}" took ${seconds(duration_ms)}`)
  },
  'settings.changed': ignore,
  'team.changed': ignore,
  'warning.raised': (notices, { code, message }, owner) => warn(notices, `${owner}: ${code}: ${message}`),
})

/** A hook that takes longer is named on screen. */
const slowHookMs = 1_000

function seconds(ms: number): string {
  return `${Math.round(ms / 1_000)} s`
}

function recovered(notices: Notice[], fact: RecoveryFact, owner: string): void {
  const text = recoveryText(fact)
  if (text !== null) warn(notices, `${owner}: ${text}`)
}

function warn(notices: Notice[], text: string): void {
  notices.push({ severity: 'warning', text })
}

function alarm(notices: Notice[], text: string): void {
  notices.push({ severity: 'error', text })
}
