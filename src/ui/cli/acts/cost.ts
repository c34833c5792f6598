import type { Spending } from '../../../projections/cost/cost.ts'
import { readCost, type RunCost } from '../../../runtime/runs/read-cost.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { dollarsText } from '../../text/figures.ts'
import { type Host, printEither } from '../host/host.ts'
import { runDirectoryOf, type RunChoice } from '../runs/run-choice.ts'
import { table } from '../text/table.ts'

/** Prints what a run has used, by member and by model. */
export async function cost(run: string | undefined, options: RunChoice, host: Host): Promise<ExitCode> {
  const spent = readCost(runDirectoryOf(run, options, host))
  await printEither({ document: spent, text: costTable(spent).trimEnd() }, options, host)
  return exitCodes.done
}

const figures = ['ANSWERS', 'INPUT', 'CACHE READ', 'CACHE WRITE', 'CACHED', 'OUTPUT', 'DOLLARS']

/** The same sum twice: by who spent it, and by what it was spent on. */
function costTable({ total, members, models }: RunCost): string {
  const byMember = [...members.map((each) => row(each.name, each)), row('total', total)]
  const byModel = models.map((each) => row(each.name, each))
  return `${table(['MEMBER', ...figures], byMember)}\n${table(['MODEL', ...figures], byModel)}`
}

function row(name: string, { answers, usage, cost_usd }: Spending): readonly string[] {
  const { input, cache_read, cache_write, output } = usage
  const counts = [answers, input, cache_read, cache_write].map(String)
  return [name, ...counts, cachedText(usage), String(output), cost_usd === null ? 'unknown' : dollarsText(cost_usd)]
}

/** The part of what models read that came from their cache. */
function cachedText({ input, cache_read, cache_write }: Spending['usage']): string {
  const read = input + cache_read + cache_write
  return read === 0 ? '-' : `${Math.floor((cache_read / read) * 100)}%`
}
