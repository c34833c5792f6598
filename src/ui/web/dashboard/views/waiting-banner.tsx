import { unanswered } from '../../../../projections/moment/asked-calls.ts'
import { StateMark } from '../parts/state-mark.tsx'
import { hashOf } from '../state/place.ts'
import type { RunLook } from './page-props.ts'

interface BannerProps {
  readonly look: Pick<RunLook, 'moment' | 'place'>
  /** Only the questions of this member count; those of all where it is left out. */
  readonly of?: string
}

/** Leads to the questions that wait for a person; nothing where none waits. */
export function WaitingBanner({ look: { moment, place }, of }: BannerProps) {
  const open = unanswered(moment.asked).filter(({ member }) => of === undefined || member === of)
  if (open.length === 0) return null
  const names = [...new Set(open.map(({ member }) => member))].join(', ')
  return (
    <a class="banner" href={hashOf({ ...place, view: 'questions', member: of ?? null })}>
      <StateMark of="asks" />
      <span>
        <b>{open.length === 1 ? '1 question waits' : `${open.length} questions wait`}</b> for you: {names}
      </span>
      <span class="go">Answer</span>
    </a>
  )
}
