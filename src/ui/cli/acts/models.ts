import {
  listModels,
  type ListedModel,
  type ListedProvider,
  type ModelList,
} from '../../../runtime/models/list-models.ts'
import { failureText } from '../../../protocol/conversation/failure.ts'
import type { CheckedProvider } from '../../../runtime/models/check-models.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { tokensText } from '../../text/figures.ts'
import { print, printEither, printJson, workingDirectory, type Host, type Flags, type Values } from '../host/host.ts'
import { table } from '../text/table.ts'

/** Lists providers and models; the value of a credential is never read into the output. */
export async function models(
  filter: string | undefined,
  options: Flags<'json' | 'check'> & Values<'cwd'>,
  host: Host,
): Promise<ExitCode> {
  const { home, env } = host
  if (options.check) return check(filter, options, host)
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

/** Asks the providers; one that is configured and does not answer is a fault of the environment. */
async function check(name: string | undefined, options: Flags<'json'> & Values<'cwd'>, host: Host): Promise<ExitCode> {
  const { checkModels } = await import('../../../runtime/models/check-models.ts')
  const { loadRules } = await import('../../../runtime/settings/load-rules.ts')
  const cwd = workingDirectory(options.cwd, host)
  const { providers: servers, untrusted } = await loadRules({ ...host, cwd })
  const all = await checkModels({ env: host.env, servers, now: host.now })
  const asked = all.filter((each) => name === undefined || each.name.includes(name))
  const rows = asked.map((each) => [each.name, stateText(each), String(each.models.length), `${each.duration_ms} ms`])
  const text = table(['PROVIDER', 'STATE', 'MODELS', 'TIME'], rows).trimEnd()
  await printEither({ document: asked, text }, options, host)
  for (const { kind, text: grant } of untrusted) {
    if (kind === 'provider') await print(host.stderr, `not asked, nobody trusts it here: ${grant} (see troupe trust)\n`)
  }
  if (all.every(({ state }) => state === 'silent')) {
    await print(host.stderr, 'No provider is configured: troupe models says what each needs.\n')
  }
  return asked.some(({ state }) => state === 'refuses') ? exitCodes.environment : exitCodes.done
}

function stateText({ state, failure }: CheckedProvider): string {
  if (state === 'answers') return 'answers'
  if (state === 'unasked') return 'cannot be asked: its cloud keeps no list'
  if (state === 'silent') return 'does not run'
  return failure === undefined ? 'refuses' : failureText(failure)
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
