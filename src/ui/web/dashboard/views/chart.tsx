import { useEffect, useState } from 'preact/hooks'
import { takenPath, type TakenPath } from '../../../../projections/moment/taken-path.ts'
import type { Chart, ChartStep } from '../../../../protocol/words/chart.ts'
import { durationText } from '../../../text/figures.ts'
import { ClockTime } from '../parts/times.tsx'
import type { RunStore } from '../state/run-store.ts'
import { getJson, runPath } from '../wire/server.ts'
import { ChartPicture } from './chart-picture.tsx'
import type { RunLook } from './page-props.ts'

const chartNames: Readonly<Record<string, string>> = {
  agent: 'Its loop',
  member: 'Its life',
  toolCall: 'Its calls',
  permission: 'Permissions',
  approval: 'Approvals',
  verification: 'Checks',
  coordinator: 'The coordinator',
}

/** The machines of a member: where they stand, the path that they took, the time in each state. */
export function ChartView({ look }: { readonly look: RunLook }) {
  const { store, member, moment, now } = look
  const [shown, setShown] = useState('agent')
  const charts = useCharts()
  const steps = useSteps(look)
  const isLead = member === store.cast.lead
  const offered = charts.filter(({ id }) => id !== 'coordinator' || isLead)
  const chart = offered.find(({ id }) => id === shown) ?? offered[0]
  if (chart === undefined) return <p class="empty">Reading the charts …</p>
  const own = chart.id === 'coordinator' ? roundsOf(store, look) : steps.filter((step) => step.chart === chart.id)
  const path = takenPath(own, moment.panes.ended === null ? now : (moment.time?.to ?? now))
  return (
    <>
      <div class="buttons choice" role="group" aria-label="Chart">
        {offered.map(({ id }) => (
          <button key={id} type="button" aria-pressed={id === chart.id} onClick={() => setShown(id)}>
            {chartNames[id] ?? id}
          </button>
        ))}
      </div>
      <div class="chart-columns">
        <ChartPicture chart={chart} path={path} />
        <Steps path={path} />
      </div>
    </>
  )
}

const mostSteps = 200

function Steps({ path }: { readonly path: TakenPath }) {
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
            <span class="figure">{ms === null ? 'now' : durationText(ms)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

let known: Promise<{ readonly charts: readonly Chart[] }> | null = null

function useCharts(): readonly Chart[] {
  const [charts, setCharts] = useState<readonly Chart[]>([])
  useEffect(() => {
    known ??= getJson<{ readonly charts: readonly Chart[] }>('/api/charts')
    known.then(
      (answer) => setCharts(answer.charts.toSorted((a, b) => orderOf(a) - orderOf(b))),
      () => (known = null),
    )
  }, [])
  return charts
}

function orderOf({ id }: Chart): number {
  return Object.keys(chartNames).indexOf(id)
}

/** The least time between two replays of a member, in milliseconds. */
const replayMs = 1_500

/** The steps of the member's machines up to the moment, as the server derives them; asked for anew when it has new facts. */
function useSteps({ store, member, place }: RunLook): readonly ChartStep[] {
  const [answer, setAnswer] = useState<{ readonly member: string; readonly steps: readonly ChartStep[] } | null>(null)
  const written = store.factsOf(member)
  useEffect(() => {
    const stop = new AbortController()
    const path = runPath(store.run, `/machines?member=${encodeURIComponent(member)}`)
    const ask = (): void =>
      void getJson<{ readonly lives: readonly { readonly transitions: readonly ChartStep[] }[] }>(
        path,
        stop.signal,
      ).then(
        ({ lives }) => setAnswer({ member, steps: lives.flatMap(({ transitions }) => transitions) }),
        () => undefined,
      )
    const timer = setTimeout(ask, answer?.member === member ? replayMs : 0)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [store, member, Math.ceil(written / 8), store.link()])
  if (answer?.member !== member) return []
  const { at } = place
  return at === null ? answer.steps : answer.steps.filter(({ entry }) => store.numberOf(entry) <= at)
}

/** The rounds of the coordinator, which its facts tell themselves. */
function roundsOf(store: RunStore, { place }: RunLook): readonly ChartStep[] {
  const steps: ChartStep[] = []
  for (let number = 1; number <= (place.at ?? store.count()); number += 1) {
    const entry = store.fact(number)?.entry
    if (entry?.type !== 'coordinator.moved') continue
    const { id, at, state } = entry
    steps.push({ actor: 'coordinator', chart: 'coordinator', event: 'moves', to: state, entry: id, at })
  }
  return steps
}
