import { activityText, byNeed, conditionOf } from '../../../../projections/screen/condition.ts'
import { shortName } from '../../../../projections/screen/short-name.ts'
import type { Panes } from '../../../../projections/screen/panes.ts'
import { placeOfEntry } from '../../../../projections/screen/place-of-entry.ts'
import type { MemberView } from '../../../../projections/screen/roster.ts'
import { glanceText } from '../../../../projections/screen/glance-text.ts'
import { cacheHits } from '../../../../projections/moment/spending-line.ts'
import { tokensOf } from '../../../../projections/cost/cost.ts'
import { todoProgress } from '../../../../projections/member/arranged.ts'
import { costText, durationText, tokensText } from '../../../text/figures.ts'
import { Markdown } from '../parts/markdown.tsx'
import { conditionWords, StateMark } from '../parts/state-mark.tsx'
import { hashOf, type Place } from '../state/place.ts'
import type { RunLook } from './page-props.ts'
import { WaitingBanner } from './waiting-banner.tsx'

/** The team at a glance: whoever needs a person comes first. */
export function Overview({ look }: { readonly look: RunLook }) {
  const views = byNeed([...look.moment.panes.roster.values()])
  const task = look.moment.panes.log.lines.find(({ kind, head }) => kind === 'life' && head === 'task')
  return (
    <>
      {task === undefined ? null : <p class="task-line">{task.text}</p>}
      <Figures look={look} />
      <Outcome look={look} />
      <WaitingBanner look={look} />
      <Warnings look={look} />
      <ul class="cards">
        {views.map((view) => (
          <li key={view.name}>
            <MemberCard view={view} look={look} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Figures({ look: { moment, now } }: { readonly look: RunLook }) {
  const { panes, spending, time } = moment
  const { usage, cost_usd, answers } = panes.cost.total
  const working = [...panes.roster.values()].filter(({ state }) => state === 'busy').length
  const hits = cacheHits(spending.at(-1) ?? usage)
  const figures = [
    ['at work', `${working} of ${panes.roster.size}`],
    ['answers', String(answers)],
    ['tokens', tokensText(tokensOf(usage))],
    ['from cache', hits === null ? '–' : `${Math.round(hits * 100)} %`],
    ['cost', cost_usd === null ? 'unknown' : costText(cost_usd)],
    ['time', time === null ? '–' : durationText(Math.max(now, time.to) - time.from)],
  ] as const
  return (
    <dl class="figures">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const mostWarnings = 4

/** The latest warnings, each with a link to its place: the transcript of its member at that moment. Nothing is ended by them. */
function Warnings({ look: { moment, place, store } }: { readonly look: RunLook }) {
  const all = moment.panes.log.lines.filter(({ kind }) => kind === 'warning')
  if (all.length === 0) return null
  return (
    <section class="warnings" aria-labelledby="warnings">
      <h2 id="warnings">Warnings</h2>
      <ul class="plain">
        {all
          .slice(-mostWarnings)
          .toReversed()
          .map(({ entry, owner, head, text }) => (
            <li key={entry}>
              <a href={hashOf({ ...place, ...viewOfEntry(moment.panes, entry), at: store.numberOf(entry) })}>
                <b>{owner}</b> {text === '' ? head : `${head}: ${text.slice(0, 300)}`}
              </a>
            </li>
          ))}
      </ul>
      {all.length > mostWarnings ? (
        <a href={hashOf({ ...place, view: 'logs' })}>{all.length - mostWarnings} more in the logs</a>
      ) : null}
    </section>
  )
}

/** The transcript that tells of an entry, else the logs. */
function viewOfEntry(panes: Panes, entry: string): Pick<Place, 'view' | 'member'> {
  const place = placeOfEntry(panes, entry)
  return place === null ? { view: 'logs', member: null } : { view: 'transcript', member: place.member }
}

interface CardProps {
  readonly view: MemberView
  readonly look: RunLook
}

function MemberCard({ view, look: { moment, place, now } }: CardProps) {
  const condition = conditionOf(view)
  const pane = moment.panes.panes.get(view.name)
  const { usage, cost_usd } = view.spending
  const progress = todoProgress(view.todos)
  const written = pane?.saying.open || (pane?.thinking.open ?? '')
  return (
    <a class={`card is-${condition}`} href={hashOf({ ...place, view: 'transcript', member: view.name })}>
      <p class="top">
        <StateMark of={condition} />
        <b title={view.name}>{shortName(view.name, 24)}</b>
        <span class="state">{conditionWords[condition]}</span>
        <span class="figure">
          {view.since === null || condition === 'gone' ? '' : durationText(Math.max(0, now - view.since))}
        </span>
      </p>
      <p class="activity">{withoutWord(activityText(view), conditionWords[condition])}</p>
      <p class="words">{glanceText(written === '' ? view.text : written.slice(-300))}</p>
      {progress === null ? null : <p class="todo">{progress}</p>}
      <p class="bottom">
        <span class="model">{pane?.model ?? ''}</span>
        <span class="figure">
          {tokensText(tokensOf(usage))} · {costText(cost_usd)}
        </span>
      </p>
    </a>
  )
}

/** An activity without the word that stands above it. */
function withoutWord(activity: string, word: string): string {
  const rest = activity.startsWith(word) ? /^(?:: | · | |$)(.*)/s.exec(activity.slice(word.length)) : null
  return rest?.[1] ?? activity
}

function Outcome({ look: { moment } }: { readonly look: RunLook }) {
  const end = moment.panes.log.lines.findLast(({ kind }) => kind === 'end')
  if (moment.panes.ended === null || end === undefined) return null
  return (
    <section class={`outcome is-${moment.panes.ended}`} aria-label="Answer of the team">
      <h2>{end.head}</h2>
      <Markdown text={end.text === '' ? 'There is no answer.' : end.text} />
    </section>
  )
}
