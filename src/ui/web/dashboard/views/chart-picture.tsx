import { useEffect, useRef, useState } from 'preact/hooks'
import { isTaken, type TakenPath } from '../../../../projections/moment/taken-path.ts'
import type { Chart } from '../../../../protocol/words/chart.ts'
import { errorText } from '../../../../protocol/words/error-text.ts'
import { durationText } from '../../../text/figures.ts'
import { layoutOf, type ChartLayout, type PlacedNode } from '../wire/chart-layout.ts'

interface PictureProps {
  readonly chart: Chart
  readonly path: TakenPath
}

/** A chart with the path that was taken through it. */
export function ChartPicture({ chart, path }: PictureProps) {
  const { layout, trouble } = useLayout(chart)
  const frame = useCurrentInView(path, layout)
  if (layout === null) return <p class="empty">{trouble ?? 'Drawing the chart …'}</p>
  const { width, height, nodes, lines } = layout
  const here = [...path.current].at(-1) ?? 'nowhere yet'
  return (
    <div ref={frame} class="scroll chart" tabIndex={0} role="group" aria-label={`Chart ${chart.id}`}>
      <svg
        viewBox={`-8 -8 ${width + 16} ${height + 16}`}
        width={width + 16}
        height={height + 16}
        role="img"
        aria-label={`Chart ${chart.id}; it stands in ${here}`}
      >
        <defs>
          <Head id="head" />
          <Head id="head-taken" />
        </defs>
        {nodes.map((node) => (
          <StateBox key={node.path} node={node} chart={chart} path={path} />
        ))}
        {chart.arrows.map((arrow, index) => {
          const taken = isTaken(path, arrow)
          return (
            <path
              key={index}
              class={taken ? 'arrow is-taken' : 'arrow'}
              d={lines.get(index) ?? ''}
              marker-end={taken ? 'url(#head-taken)' : 'url(#head)'}
            >
              <title>{`${arrow.from} → ${arrow.to}: ${arrow.events.join(', ')}`}</title>
            </path>
          )
        })}
      </svg>
    </div>
  )
}

function Head({ id }: { readonly id: string }) {
  return (
    <marker id={id} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
      <path d="M0 0 8 4 0 8z" />
    </marker>
  )
}

function StateBox({ node, chart, path }: PictureProps & { readonly node: PlacedNode }) {
  const state = chart.nodes.find((each) => each.path === node.path)
  const time = path.times.get(node.path)
  const isGroup = chart.nodes.some(({ parent }) => parent === node.path)
  const looks = [
    'state-box',
    ...(isGroup ? ['is-group'] : []),
    ...(state?.isFinal === true ? ['is-final'] : []),
    ...(time === undefined ? [] : ['is-visited']),
    ...(path.current.has(node.path) ? ['is-current'] : []),
  ]
  const spent = time === undefined ? '' : ` · ${time.visits} × · ${durationText(time.ms)}`
  return (
    <g class={looks.join(' ')}>
      <title>{`${node.path}: ${state?.words ?? ''}${spent}`}</title>
      <rect x={node.x} y={node.y} width={node.width} height={node.height} rx={isGroup ? 12 : 8} />
      <text
        x={isGroup ? node.x + 16 : node.x + node.width / 2}
        y={isGroup ? node.y + 22 : node.y + (time === undefined ? 21 : 16)}
        text-anchor={isGroup ? 'start' : 'middle'}
      >
        {state?.key ?? node.path}
      </text>
      {time === undefined || isGroup ? null : (
        <text class="time" x={node.x + node.width / 2} y={node.y + 28} text-anchor="middle">
          {durationText(time.ms)}
        </text>
      )}
    </g>
  )
}

/** Keeps the state in which the machine stands in view. */
function useCurrentInView({ current }: TakenPath, layout: ChartLayout | null) {
  const frame = useRef<HTMLDivElement>(null)
  const here = [...current].at(-1)
  useEffect(() => {
    const box = frame.current?.querySelector('.is-current:not(.is-group)')?.getBoundingClientRect()
    const around = frame.current?.getBoundingClientRect()
    if (box === undefined || around === undefined) return
    frame.current?.scrollBy({
      top: box.top - around.top - around.height / 2 + box.height / 2,
      left: box.left - around.left - around.width / 2 + box.width / 2,
    })
  }, [here, layout])
  return frame
}

interface Drawn {
  readonly layout: ChartLayout | null
  readonly trouble: string | null
}

function useLayout(chart: Chart): Drawn {
  const { id } = chart
  const [known, setKnown] = useState<Drawn & { readonly id: string }>({ id, ...undrawn })
  useEffect(() => {
    void layoutOf(chart).then(
      (layout) => setKnown({ id, layout, trouble: null }),
      (error: unknown) => setKnown({ id, layout: null, trouble: `The chart cannot be drawn: ${errorText(error)}` }),
    )
  }, [chart])
  return known.id === id ? known : undrawn
}

const undrawn: Drawn = { layout: null, trouble: null }
