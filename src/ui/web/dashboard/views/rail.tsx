import { byNeed, conditionOf } from '../../../../projections/screen/condition.ts'
import { shortName } from '../../../../projections/screen/short-name.ts'
import { conditionWords, StateMark } from '../parts/state-mark.tsx'
import { hashOf, type PageView } from '../state/place.ts'
import type { RunLook } from './page-props.ts'

/** The members, whoever needs a person first; a link leads to the one in the view at hand. */
export function Rail({ look }: { readonly look: RunLook }) {
  const { moment, place, member } = look
  const views = byNeed([...moment.panes.roster.values()])
  const view: PageView = aboutMembers.has(place.view) ? place.view : 'transcript'
  return (
    <nav class="rail" aria-label="Members">
      <ul class="plain">
        {views.map((each) => {
          const condition = conditionOf(each)
          const isShown = aboutMembers.has(place.view) && each.name === member
          return (
            <li key={each.name}>
              <a href={hashOf({ ...place, view, member: each.name })} aria-current={isShown ? 'true' : undefined}>
                <StateMark of={condition} />
                <span class="name" title={each.name}>
                  {shortName(each.name, 16)}
                </span>
                <span class="state">{conditionWords[condition]}</span>
              </a>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

/** Views that are about one member. */
export const aboutMembers: ReadonlySet<PageView> = new Set(['transcript', 'chart'])
