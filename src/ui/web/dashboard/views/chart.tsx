import { useState } from 'preact/hooks'
import { takenPath, type TakenPath } from '../../../../projections/moment/taken-path.ts'
import type { Chart, ChartStep } from '../../../../protocol/words/chart.ts'
import { durationText } from '../../../text/figures.ts'
import { ClockTime } from '../parts/times.tsx'
import { runPath } from '../wire/server.ts'
import { useAnswer } from '../wire/use-answer.ts'
import { ChartPicture } from './chart-picture.tsx'
import type { RunLook } from './page-props.ts'

const chartNames: Readonly<Record<string, string>> = {
  agent: 'Its loop',
  member: 'Its life',
  toolCall: 'Its calls',
  permission: 'Permissions',
  approval: 'Approvals',
  verification: 'Checks',
  team: 'The team',
  coordinator: 'The coordinator',
  task: 'Tasks of the board',
}

/** Charts of the team itself, which the lead's place shows. */
const teamCharts: ReadonlySet<string> = new Set(['team', 'coordinator', 'task'])

/** The machines of a member, and for the lead those of the team: where they stand, the path that they took, the time in each state. */
export function ChartView({ look }: { readonly look: RunLook }) {
  const { store, member, now } = look
  const [shown, setShown] = useState('agent')
  const read = useAnswer<{ readonly charts: readonly Chart[] }>('/api/charts')
  const isLead = member === store.cast.lead
  const charts = (read.answer?.charts ?? []).toSorted((a, b) => orderOf(a) - orderOf(b))
  const offered = charts.filter(({ id }) => isLead || !teamCharts.has(id))
  const chart = offered.find(({ id }) => id === shown) ?? offered[0]
  const { steps, trouble } = useSteps(look, chart !== undefined && teamCharts.has(chart.id) ? 'team' : member)
  const waiting = read.answer === null ? 'Reading the charts …' : 'The server has no charts.'
  if (chart === undefined) return <p class="empty">{read.trouble ?? waiting}</p>
  const own = steps.filter((step) => step.chart === chart.id)
  const path = takenPath(own, now)
  return (
    <>
      <div class="buttons choice" role="group" aria-label="Chart">
        {offered.map(({ id }) => (
          <button key={id} type="button" aria-pressed={id === chart.id} onClick={() => setShown(id)}>
            {chartNames[id] ?? id}
          </button>
        ))}
      </div>
      {trouble === null ? null : <p class="trouble">{trouble}</p>}
      <div class="chart-columns">
        <ChartPicture chart={chart} path={path} />
        <Steps path={path} isOver={look.moment.panes.ended !== null} />
      </div>
    </>
  )
}

const mostSteps = 200

function Steps({ path, isOver }: { readonly path: TakenPath; readonly isOver: boolean }) {
  const lastWord = isOver ? 'at the end' : 'now'
  const latest = path.steps.slice(-mostSteps).toReversed()
  return (
    <section class="steps" aria-label="Steps, the latest first">
      <h2>Steps</h2>
      {latest.length === 0 ? <p class="empty">No step of this machine yet.</p> : null}
      <ol class="plain">
        {latest.map(({ at, event, state, ms }, index) => (
          <li key={path.steps.length - index}>
            <ClockTime at={at} />
            <span class="event">{event}</span>
            <b>{state}</b>
            <span class="figure">{ms === null ? lastWord : durationText(ms)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function orderOf({ id }: Chart): number {
  return Object.keys(chartNames).indexOf(id)
}

/** The least time between two replays of a member, in milliseconds. */
const replayMs = 1_500

interface Lives {
  readonly lives: readonly { readonly transitions: readonly ChartStep[] }[]
}

/** The steps of its machines up to the moment, as the server derives them; asked for anew when it has new facts. */
function useSteps({ store, place: { at } }: RunLook, owner: string) {
  const path = runPath(store.run, `/machines?member=${encodeURIComponent(owner)}`)
  const again = `${Math.ceil(store.factsOf(owner) / 8)} ${store.link()}`
  const { answer, trouble } = useAnswer<Lives>(path, { again, afterMs: replayMs })
  const steps = (answer?.lives ?? []).flatMap(({ transitions }) => transitions)
  return { steps: at === null ? steps : steps.filter(({ entry }) => store.numberOf(entry) <= at), trouble }
}
