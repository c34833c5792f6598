import { chartStates, chartText, coordinatorChart, type ChartState } from '../../../projections/screen/chart-states.ts'
import { byNeed, conditionOf } from '../../../projections/screen/condition.ts'
import { localTime } from '../../../protocol/words/local-time.ts'
import { conditionSigns } from '../../text/terminal-text.ts'
import type { Picture } from '../state/picture.ts'
import type { Row } from '../state/ui.ts'
import { rowOf } from './row.ts'

/** The coordinator's chart, and a row for each member with all of its charts in words. */
export function machineRows({ panes, ui, paint }: Picture): readonly Row[] {
  const { coordinator, roster } = panes
  const views = ui.names.flatMap((name) => roster.get(name) ?? [])
  const round = { name: 'coordinator', since: coordinator.since, charts: [coordinatorChart(coordinator)] }
  return [
    rowOf({ id: 'coordinator', leads: null, ...partsOf(round), tone: null }, paint),
    ...byNeed(views).map((view) => {
      const [, tone] = conditionSigns[conditionOf(view)]
      const charts = chartStates(view)
      return rowOf(
        { id: view.name, leads: null, ...partsOf({ name: view.name, since: view.since, charts }), tone },
        paint,
      )
    }),
  ]
}

interface Charts {
  readonly name: string
  readonly since: number | null
  readonly charts: readonly ChartState[]
}

/** The innermost chart says most in a line; below the list all of them stand. */
function partsOf({ name, since, charts }: Charts): {
  cells: readonly string[]
  widths: readonly number[]
  whole: string
} {
  const inner = charts.find(({ chart }) => chart === 'tool-call') ?? charts.at(-1)
  const path = charts.flatMap((each) => (each === inner || each.chart !== 'tool-call' ? each.path : [])).join(' › ')
  const clock = since === null ? '' : localTime(since).clock
  const whole = [`${name}${clock === '' ? '' : `, so since ${clock}`}`, '', ...charts.map(chartText)].join('\n')
  return {
    cells: [name, clock, [path, inner?.words ?? ''].filter((text) => text !== '').join(': ')],
    widths: [14, 8],
    whole,
  }
}
