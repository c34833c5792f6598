import type { Survey } from '../../protocol/port.ts'

/**
 * Judges whether a run is over: nobody busy, no mail undelivered, no permission pending. A quiet run with
 * open requests or owed replies gets its lead woken once; quiet again after that, it is stalled.
 *
 * @param nudged The lead was already woken with the list of what is open.
 * @example quiescence({ members: [], pendingPermissions: 0, open: [] }, false) // 'finished'
 */
export function quiescence(survey: Survey, nudged: boolean): 'running' | 'finished' | 'nudge' | 'stalled' {
  const moving = survey.members.some((member) => member.busy || member.undelivered > 0)
  if (moving || survey.pendingPermissions > 0) return 'running'
  if (survey.open.length === 0) return 'finished'
  return nudged ? 'stalled' : 'nudge'
}

/** The text that a quiet lead gets once while something is open: a run never waits for ever without a word. */
export function nudgeText(open: readonly string[]): string {
  return [
    'Everybody is quiet, but this is still open:',
    ...open.map((item) => `- ${item}`),
    'Deal with it or answer without it, and say so.',
  ].join('\n')
}
