import { promptTokens, tokensOf, type Spending } from '../../../../projections/cost/cost.ts'
import { cacheHits, type SpendingLine, type SpendingPoint } from '../../../../projections/moment/spending-line.ts'
import { costText, dollarsText, tokensText } from '../../../text/figures.ts'
import { hashOf } from '../state/place.ts'
import type { RunLook } from './page-props.ts'

/** Dollars, tokens and cache hits over time, and by member, model and purpose. */
export function CostView({ look: { moment, store, place } }: { readonly look: RunLook }) {
  const { spending, panes } = moment
  const { members, models, purposes, total } = panes.cost
  const budget = store.cast.budget_usd
  const linkOf = (member: string): string => hashOf({ ...place, view: 'transcript', member })
  return (
    <>
      <div class="curves">
        <Curve line={spending} name="Dollars" of={({ usd }) => usd} text={dollarsText} />
        <Curve line={spending} name="Tokens in" of={promptTokens} text={tokensText} />
        <Curve line={spending} name="Tokens out" of={({ output }) => output} text={tokensText} />
        <Curve line={spending} name="From cache" of={(point) => cacheHits(point) ?? 0} text={percent} whole={1} />
      </div>
      {budget === null ? null : <p class="note">The run may spend {dollarsText(budget)} in all.</p>}
      {total.answers === 0 ? <p class="empty">No model has answered yet.</p> : null}
      <Sums title="By member" sums={members} total={total} linkOf={linkOf} />
      <Sums title="By model" sums={models} />
      <Sums title="Beside the work" sums={purposes} />
    </>
  )
}

function percent(part: number): string {
  return `${Math.round(part * 100)} %`
}

interface CurveProps {
  readonly line: SpendingLine
  readonly name: string
  readonly of: (point: SpendingPoint) => number
  readonly text: (value: number) => string
  /** The value at the top; the greatest of the line where there is none. */
  readonly whole?: number
}

const [curveWidth, curveHeight, mostPoints] = [320, 96, 400] as const

function Curve({ line, name, of, text, whole }: CurveProps) {
  const [first, last] = [line[0], line.at(-1)]
  const step = Math.max(1, Math.ceil(line.length / mostPoints))
  const shown = line.filter((_, index) => index % step === 0 || index === line.length - 1)
  const most = whole ?? Math.max(Number.MIN_VALUE, ...shown.map(of))
  const time = Math.max(1, (last?.at ?? 0) - (first?.at ?? 0))
  const x = (at: number): string => (((at - (first?.at ?? 0)) / time) * curveWidth).toFixed(1)
  const y = (value: number): string => (curveHeight - (value / most) * (curveHeight - 6)).toFixed(1)
  const path = shown.map((point, index) => (index === 0 ? `M0 ${y(of(point))}` : `H${x(point.at)}V${y(of(point))}`))
  const now = last === undefined ? '–' : text(of(last))
  return (
    <figure class="curve">
      <figcaption>
        <span>{name}</span>
        <b class="figure">{now}</b>
      </figcaption>
      <svg
        viewBox={`0 0 ${curveWidth} ${curveHeight}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${name}: ${now}`}
      >
        <path class="area" d={path.length === 0 ? '' : `${path.join('')}V${curveHeight}H0z`} />
        <path class="edge" d={path.join('')} />
      </svg>
    </figure>
  )
}

interface SumsProps {
  readonly title: string
  readonly sums: ReadonlyMap<string, Spending>
  /** The last row. */
  readonly total?: Spending
  readonly linkOf?: (name: string) => string
}

function Sums({ title, sums, total, linkOf }: SumsProps) {
  if (sums.size === 0) return null
  const rows = [...sums].toSorted(([, a], [, b]) => (b.cost_usd ?? 0) - (a.cost_usd ?? 0))
  return (
    <>
      <h2>{title}</h2>
      <div class="scroll" tabIndex={0} role="group" aria-label={title}>
        <table class="sums">
          <thead>
            <tr>
              <th>Name</th>
              <th>Answers</th>
              <th>Tokens in</th>
              <th>From cache</th>
              <th>Tokens out</th>
              <th>All tokens</th>
              <th>Cost</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, spent]) => (
              <tr key={name}>
                <td>{linkOf === undefined ? name : <a href={linkOf(name)}>{name}</a>}</td>
                <Figures spent={spent} />
              </tr>
            ))}
          </tbody>
          {total === undefined ? null : (
            <tfoot>
              <tr>
                <th>In all</th>
                <Figures spent={total} />
              </tr>
            </tfoot>
          )}
        </table>
      </div>
    </>
  )
}

function Figures({ spent: { answers, usage, cost_usd } }: { readonly spent: Spending }) {
  return (
    <>
      <td>{answers}</td>
      <td>{tokensText(promptTokens(usage))}</td>
      <td>{percent(cacheHits(usage) ?? 0)}</td>
      <td>{tokensText(usage.output)}</td>
      <td>{tokensText(tokensOf(usage))}</td>
      <td>{costText(cost_usd)}</td>
    </>
  )
}
