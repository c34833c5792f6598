import type { Survey } from '../../src/protocol/port.ts'
import { isChanging, type Lives } from './lives.ts'

interface Quiet {
  readonly lives: Lives
  readonly nudged: boolean
}

/** Members with mail that were never started: the news of that mail was lost on its way. */
export function unheard(lives: Lives, survey: Survey): readonly string[] {
  return survey.members
    .filter(({ name, undelivered }) => undelivered > 0 && lives[name]?.state === 'absent')
    .map(({ name }) => name)
}

/**
 * Whether a survey could tell anything: while somebody is between two states the run goes on whatever it says, and mail
 * is missed only by who is absent. The state that ends the change asks again.
 */
export function surveyTells(lives: Lives): boolean {
  let changes = false
  for (const life of Object.values(lives)) {
    if (life.state === 'absent') return true
    changes ||= isChanging(life)
  }
  return !changes
}

/**
 * The quiescence rule over what can still move: a member between two states, or mail that wakes one, keeps the run
 * going; a lost or stopped member, and the mail that waits for it, does not.
 */
export function judgeQuiet({ lives, nudged }: Quiet, survey: Survey): ReturnType<typeof quiescence> {
  if (Object.values(lives).some(isChanging) || unheard(lives, survey).length > 0) return 'running'
  const members = survey.members.filter(({ name }) => lives[name]?.state !== 'lost' && lives[name]?.state !== 'stopped')
  return quiescence({ ...survey, members }, nudged)
}

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
