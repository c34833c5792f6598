import type { Spending } from '../../../projections/cost/cost.ts'
import { readCost, readCostSince, type RunCost, type RunsCost } from '../../../runtime/runs/read-cost.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { dollarsText } from '../../text/figures.ts'
import { type Host, printEither, type Values, workingDirectory } from '../host/host.ts'
import { runDirectoryOf, type RunChoice } from '../runs/run-choice.ts'
import { UserError } from '../host/user-error.ts'
import { table } from '../text/table.ts'

/** Prints what a run has used, by member and by model. */
export async function cost(
  run: string | undefined,
  options: RunChoice & Values<'since', number>,
  host: Host,
): Promise<ExitCode> {
  if (options.since !== undefined) {
    if (run !== undefined) throw new UserError('--since counts all runs: name none')
    const all = readCostSince(workingDirectory(options.cwd, host), host.now() - options.since)
    const text = all.runs.length === 0 ? 'No run here in that time.' : sinceTable(all).trimEnd()
    await printEither({ document: all, text }, options, host)
    return exitCodes.done
  }
  const spent = readCost(runDirectoryOf(run, options, host))
  await printEither({ document: spent, text: costTable(spent).trimEnd() }, options, host)
  return exitCodes.done
}

const figures = ['ANSWERS', 'INPUT', 'CACHE READ', 'CACHE WRITE', 'CACHED', 'OUTPUT', 'DOLLARS']

/** The same sum by member and by model; of it, what was asked beside the members' own work. */
function costTable({ total, members, models, purposes }: RunCost): string {
  const byMember = [...members.map((each) => row(each.name, each)), row('total', total)]
  const byModel = models.map((each) => row(each.name, each))
  const byPurpose = purposes.map((each) => row(each.name, each))
  const aside = byPurpose.length === 0 ? [] : [table(['OF IT FOR', ...figures], byPurpose)]
  return [table(['MEMBER', ...figures], byMember), table(['MODEL', ...figures], byModel), ...aside].join('\n')
}

/** The sum by run, and by model under the name that it has with all who sell it. */
function sinceTable({ total, runs, models }: RunsCost): string {
  const byRun = [...runs.map((each) => row(each.name, each)), row('total', total)]
  const byModel = models.map((each) => row(each.name, each))
  return `${table(['RUN', ...figures], byRun)}\n${table(['MODEL', ...figures], byModel)}`
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
