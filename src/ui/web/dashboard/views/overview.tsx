import { activityText, byNeed, conditionOf } from '../../../../projections/screen/condition.ts'
import type { MemberView } from '../../../../projections/screen/roster.ts'
import { glanceText } from '../../../../projections/screen/glance-text.ts'
import { unanswered } from '../../../../projections/moment/asked-calls.ts'
import { cacheHits } from '../../../../projections/moment/spending-line.ts'
import { tokensOf } from '../../../../projections/cost/cost.ts'
import { todoProgress } from '../../../../projections/member/arranged.ts'
import { costText, durationText, tokensText } from '../../../text/figures.ts'
import { Markdown } from '../parts/markdown.tsx'
import { conditionWords, StateMark } from '../parts/state-mark.tsx'
import { hashOf } from '../state/place.ts'
import type { RunLook } from './page-props.ts'

/** The team at a glance: whoever needs a person comes first. */
export function Overview({ look }: { readonly look: RunLook }) {
  const views = byNeed([...look.moment.panes.roster.values()])
  const task = look.moment.panes.log.lines.find(({ kind, head }) => kind === 'life' && head === 'task')
  return (
    <>
      {task === undefined ? null : <p class="task-line">{task.text}</p>}
      <Figures look={look} />
      <Waiting look={look} />
      <Warnings look={look} />
      <ul class="cards">
        {views.map((view) => (
          <li key={view.name}>
            <MemberCard view={view} look={look} />
          </li>
        ))}
      </ul>
      <Outcome look={look} />
    </>
  )
}

function Figures({ look: { moment } }: { readonly look: RunLook }) {
  const { panes, spending, time } = moment
  const { usage, cost_usd, answers } = panes.cost.total
  const working = [...panes.roster.values()].filter(({ state }) => state === 'busy').length
  const hits = cacheHits(spending.at(-1) ?? usage)
  const figures = [
    ['members', String(panes.roster.size)],
    ['at work', String(working)],
    ['answers', String(answers)],
    ['tokens', tokensText(tokensOf(usage))],
    ['from cache', hits === null ? '–' : `${Math.round(hits * 100)} %`],
    ['cost', cost_usd === null ? 'unknown' : costText(cost_usd)],
    ['time', time === null ? '–' : durationText(time.to - time.from)],
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

function Waiting({ look: { moment, place } }: { readonly look: RunLook }) {
  const open = unanswered(moment.asked)
  if (open.length === 0) return null
  const names = [...new Set(open.map(({ member }) => member))].join(', ')
  return (
    <a class="banner" href={hashOf({ ...place, view: 'questions', member: null })}>
      <StateMark of="asks" />
      <span>
        <b>{open.length === 1 ? '1 question waits' : `${open.length} questions wait`}</b> for you: {names}
      </span>
      <span class="go">Answer</span>
    </a>
  )
}

const mostWarnings = 4

/** The latest warnings, each with a link to its place: the transcript of its member at that moment. Nothing is ended by them. */
function Warnings({ look: { moment, place, store } }: { readonly look: RunLook }) {
  const { panes, log } = moment.panes
  const all = log.lines.filter(({ kind }) => kind === 'warning')
  if (all.length === 0) return null
  return (
    <section class="warnings" aria-label="Warnings">
      <ul class="plain">
        {all
          .slice(-mostWarnings)
          .toReversed()
          .map(({ entry, owner, head, text }) => (
            <li key={entry}>
              <a
                href={hashOf({
                  ...place,
                  ...(panes.has(owner) ? { view: 'transcript', member: owner } : { view: 'logs' }),
                  at: store.numberOf(entry),
                })}
              >
                <b>{owner}</b> {head}: {text.slice(0, 300)}
              </a>
            </li>
          ))}
      </ul>
      {all.length > mostWarnings ? (
        <a href={hashOf({ ...place, view: 'logs' })}>{all.length - mostWarnings} earlier ones in the logs</a>
      ) : null}
    </section>
  )
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
        <b>{view.name}</b>
        <span class="state">{conditionWords[condition]}</span>
        <span class="figure">{view.since === null ? '' : durationText(Math.max(0, now - view.since))}</span>
      </p>
      <p class="activity">{activityText(view)}</p>
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
