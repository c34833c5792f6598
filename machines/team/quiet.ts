import type { Survey } from '../../src/protocol/port.ts'
import { quiescence } from '../../src/rules/team/quiescence.ts'
import { isChanging, type Lives } from './lives.ts'

export interface Quiet {
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
