import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js'
import type { Chart } from '../../../../protocol/words/chart.ts'
import workerAddress from 'elkjs/lib/elk-worker.min.js?url'

/** A state in its place; distances in pixels. */
export interface PlacedNode {
  readonly path: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A chart in its place: boxes, and arrows as points of a line. */
export interface ChartLayout {
  readonly width: number
  readonly height: number
  readonly nodes: readonly PlacedNode[]
  /** By the number of the arrow. */
  readonly lines: ReadonlyMap<number, string>
}

const layouts = new Map<string, Promise<ChartLayout>>()

/** Lays a chart out, in a worker: once for each chart. */
export function layoutOf(chart: Chart): Promise<ChartLayout> {
  const known = layouts.get(chart.id)
  if (known !== undefined) return known
  const made = lay(chart)
  layouts.set(chart.id, made)
  // A chart that could not be drawn is tried again when somebody looks at it again.
  made.catch(() => layouts.delete(chart.id))
  return made
}

const options = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.layered.spacing.nodeNodeBetweenLayers': '36',
  'elk.spacing.nodeNode': '28',
  'elk.spacing.edgeEdge': '10',
  'elk.spacing.edgeNode': '16',
  // Charts are read as they were written: the states in which they begin stand above.
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.cycleBreaking.strategy': 'MODEL_ORDER',
  'elk.json.edgeCoords': 'ROOT',
  'elk.json.shapeCoords': 'ROOT',
}

async function lay(chart: Chart): Promise<ChartLayout> {
  const { default: Elk } = await import('elkjs/lib/elk-api.js')
  const elk = new Elk.default({ workerFactory: () => new Worker(workerAddress) })
  const edges = chart.arrows.map(({ from, to }, index) => ({ id: `arrow ${index}`, sources: [from], targets: [to] }))
  const root: ElkNode = { id: 'chart', layoutOptions: options, children: childrenOf(chart, ''), edges }
  const placed = await elk.layout(root).finally(() => elk.terminateWorker())
  const lines = (placed.edges ?? []).map((edge, index) => [index, lineOf(edge)] as const)
  return { width: placed.width ?? 0, height: placed.height ?? 0, nodes: nodesIn(placed), lines: new Map(lines) }
}

function childrenOf(chart: Chart, parent: string): ElkNode[] {
  return chart.nodes
    .filter((node) => node.parent === parent)
    .map(({ path, key }) => {
      const children = childrenOf(chart, path)
      const size = { width: Math.max(72, key.length * 8 + 32), height: 34 }
      const around = { layoutOptions: { 'elk.padding': '[top=36,left=16,bottom=16,right=16]' } }
      return children.length === 0 ? { id: path, ...size } : { id: path, children, ...around }
    })
}

function nodesIn({ children = [] }: ElkNode): readonly PlacedNode[] {
  return children.flatMap((node) => {
    const { id: path, x = 0, y = 0, width = 0, height = 0 } = node
    return [{ path, x, y, width, height }, ...nodesIn(node)]
  })
}

/** The points of an edge as the path of a line. */
function lineOf({ sections = [] }: ElkExtendedEdge): string {
  return sections
    .flatMap(({ startPoint, bendPoints = [], endPoint }) => [startPoint, ...bendPoints, endPoint])
    .map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${Math.round(x)} ${Math.round(y)}`)
    .join('')
}
