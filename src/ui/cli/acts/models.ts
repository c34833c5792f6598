import {
  listModels,
  type ListedModel,
  type ListedProvider,
  type ModelList,
} from '../../../runtime/models/list-models.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { tokensText } from '../../text/figures.ts'
import { print, printJson, type Host, type Flags } from '../host/host.ts'
import { table } from '../text/table.ts'

/** Lists providers and models; the value of a credential is never read into the output. */
export async function models(filter: string | undefined, options: Flags<'json'>, host: Host): Promise<ExitCode> {
  const { home, env } = host
  const list = await listModels({ home, env, ...(filter === undefined ? {} : { filter }) })
  if (options.json) {
    await printJson(host.stdout, list)
    return exitCodes.done
  }
  if (filter === undefined) await print(host.stdout, `${providersTable(list)}\n`)
  if (list.models.length > 0) await print(host.stdout, modelsTable(list))
  else
    await print(host.stderr, `No known model matches "${filter}"; a name that is not listed may work all the same.\n`)
  return exitCodes.done
}

function providersTable({ providers }: ModelList): string {
  return table(
    ['PROVIDER', 'NEEDS', 'READY'],
    providers.map(({ name, variable, ready }) => [name, variable ?? 'nothing', readyText(variable, ready)]),
  )
}

function readyText(variable: ListedProvider['variable'], ready: boolean): string {
  if (variable === null) return 'yes'
  return ready ? 'yes, it is set' : 'no, it is not set'
}

function modelsTable(list: ModelList): string {
  return table(['MODEL', 'WINDOW', 'MAX OUTPUT', 'INPUT $/M', 'OUTPUT $/M'], list.models.map(modelRow))
}

function modelRow({ name, window, max_output, input, output }: ListedModel): readonly string[] {
  return [name, sizeText(window), sizeText(max_output), rateText(input), rateText(output)]
}

function sizeText(tokens: number | null): string {
  return tokens === null ? '-' : tokensText(tokens)
}

/** Two digits, or as many as a cheap model needs. */
function rateText(usd: number | null): string {
  if (usd === null) return '-'
  return Number.isInteger(usd * 100) ? usd.toFixed(2) : String(usd)
}
