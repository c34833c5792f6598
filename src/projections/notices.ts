import { foldOver, ignore } from './fold.ts'

/** What a person has to know while everything goes on. */
export interface Notice {
  readonly severity: 'warning' | 'error'
  readonly text: string
}

export function emptyNotices(): Notice[] {
  return []
}

/** Adds what one fact gives reason to say: denials, crashes, lost mail, failed work, dropped events. */
export const applyNotices = foldOver<Notice[], 'permission' | 'life' | 'mail' | 'request' | 'loop' | 'notice'>({
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
  'mail.sent': ignore,
  'mail.received': ignore,
  'mail.died': (notices, { mail_id, file, reason }, owner) =>
    alarm(notices, `${owner}: mail ${mail_id ?? file} could not be delivered: ${reason}`),
  'member.replied': ignore,
  'request.opened': ignore,
  'request.settled': (notices, { worker, status, reason }) => {
    if (status === 'done') return
    warn(notices, `${worker}: work ${status.replace('_', ' ')}${reason === undefined ? '' : `: ${reason}`}`)
  },
  'agent.started': ignore,
  'turn.continued': ignore,
  'agent.parked': ignore,
  'agent.ended': (notices, { failure }, owner) => {
    if (failure) alarm(notices, `${owner}: ${failure.code}: ${failure.message}`)
  },
  'event.dropped': (notices, { actor, event, state }, owner) =>
    warn(notices, `${owner}: ${actor} had no use for ${event} in ${state}`),
  'warning.raised': (notices, { code, message }, owner) => warn(notices, `${owner}: ${code}: ${message}`),
})

function warn(notices: Notice[], text: string): void {
  notices.push({ severity: 'warning', text })
}

function alarm(notices: Notice[], text: string): void {
  notices.push({ severity: 'error', text })
}
