import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { priceOf } from '../../src/adapters/models/prices.ts'
import { scriptSchema } from '../../src/adapters/models/scripted/script.ts'
import { noUsage, type Usage } from '../../src/protocol/conversation/message.ts'
import type { Scene } from '../teams/scenes/scene.ts'
import { cassetteOf } from '../teams/support/play-scene.ts'

export const page = 'docs/teams.md'

/** One model of each vendor whose prices come with the package. */
const priced = ['anthropic/claude-opus-5', 'openai/gpt-5.6-terra']

export interface Consumption {
  readonly team: string
  readonly requests: number
  /** The usage of each request. */
  readonly each: readonly Usage[]
}

/** What the recorded run of a scene used, read from its cassette. */
export function consumptionOf(scene: Scene): Consumption {
  const script = scriptSchema.parse(parse(readFileSync(cassetteOf(scene), 'utf8')))
  const each = Object.values(script.agents).flatMap(({ steps }) =>
    steps.map(({ usage }): Usage => ({ ...noUsage, ...(usage as Partial<Usage>) })),
  )
  return { team: scene.team, requests: each.length, each }
}

/** The counted cells of a team's row: they follow from the cassette alone. */
export function countedCells({ team, requests, each }: Consumption): readonly string[] {
  const sum = (key: 'input' | 'output' | 'cache_read' | 'cache_write'): string =>
    each.reduce((total, usage) => total + usage[key], 0).toLocaleString('en-US')
  return [team, String(requests), sum('input'), sum('cache_write'), sum('cache_read'), sum('output')]
}

/** The table of costs, one row per team. */
export async function costTable(scenes: readonly Scene[]): Promise<string> {
  const head = ['team', 'requests', 'input', 'written to cache', 'read from cache', 'output', ...priced]
  return lines([head, ...(await Promise.all(scenes.map((scene) => row(consumptionOf(scene)))))])
}

async function row(consumption: Consumption): Promise<readonly string[]> {
  const costs = await Promise.all(priced.map((model) => costOf(model, consumption)))
  return [...countedCells(consumption), ...costs.map((usd) => `$${usd.toFixed(3)}`)]
}

/** The table as the formatter leaves it: names to the left, numbers to the right. */
function lines(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((cells) => (cells[column] ?? '').length)))
  const pad = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  const [head, ...body] = rows.map((cells) => cells.map(pad))
  return [head ?? [], rule, ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

async function costOf(model: string, { each }: Consumption): Promise<number> {
  const price = await priceOf(model)
  return each.reduce((total, usage) => {
    const cost = price(usage)
    if (cost === null) throw new Error(`nobody knows what ${model} costs`)
    return total + cost
  }, 0)
}

const begin = '<!-- costs: written by test/tools/record-cassettes.ts -->'
const end = '<!-- end of costs -->'

/** The page with its table replaced. @throws when the page has no place for one */
export function withTable(text: string, table: string): string {
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`${page} has no place for the table: ${begin} … ${end}`)
  return `${text.slice(0, from)}${begin}\n\n${table}\n\n${text.slice(to)}`
}
