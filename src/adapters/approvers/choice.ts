import type { Answer } from '../../protocol/permission.ts'

export const choices = '[o]nce  [s]ession  [d]eny, with a reason if you like  [x] deny and stop this member > '
export const retry = 'Please type o, s, d or x: '

/**
 * What a typed line answers, or null when it is none of the choices. Text after a denial is the reason that
 * the member is told.
 *
 * `choiceOf('d use the staging host')` → `{ behavior: 'deny', reason: 'use the staging host', … }`
 */
export function choiceOf(line: string): Answer | null {
  const [word = '', ...rest] = line.trim().split(/\s+/)
  const reason = rest.join(' ')
  switch (word.toLowerCase()) {
    case 'o':
    case 'once':
      return { behavior: 'allow', source: 'human', reason: 'allowed once', scope: 'once' }
    case 's':
    case 'session':
      return { behavior: 'allow', source: 'human', reason: 'allowed for this session', scope: 'session' }
    case 'd':
    case 'deny':
      return { behavior: 'deny', source: 'human', reason: reason || 'denied', scope: 'once' }
    case 'x':
    case 'stop':
      return { behavior: 'deny', source: 'human', reason: reason || 'denied, and told to stop', scope: 'stop' }
    default:
      return null
  }
}
