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
import {
  noteTo,
  print,
  printEither,
  printJson,
  workingDirectory,
  type Host,
  type Flags,
  type Values,
} from '../host/host.ts'
import { plainLine } from '../../text/plain-text.ts'
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
  const isMeant = (each: string): boolean => name === undefined || each.includes(name)
  const asked = all.filter((each) => isMeant(each.name))
  const rows = asked.map((each) => [each.name, stateText(each), String(each.models.length), `${each.duration_ms} ms`])
  const text = table(['PROVIDER', 'STATE', 'MODELS', 'TIME'], rows).trimEnd()
  if (options.json || asked.length > 0) await printEither({ document: asked, text }, options, host)
  const note = noteTo(host)
  const waiting = untrusted.filter(({ kind, text: grant }) => kind === 'provider' && isMeant(grant.split(' ')[1] ?? ''))
  for (const { text: grant } of waiting)
    note(`not asked, nobody trusts it here: ${plainLine(grant)} (see troupe trust)`)
  if (name === undefined && all.every(({ state }) => state === 'silent')) {
    note('No provider is configured: troupe models says what each needs.')
  }
  if (name === undefined) return asked.some(({ state }) => state === 'refuses') ? exitCodes.environment : exitCodes.done
  if (asked.length === 0 && waiting.length === 0) note(await absence(name, host))
  const isThere = asked.some(({ state }) => state === 'answers' || state === 'unasked')
  return isThere ? exitCodes.done : exitCodes.environment
}

/** Why nobody of this name was asked. */
async function absence(name: string, { home, env }: Host): Promise<string> {
  const { providers } = await listModels({ home, env })
  const known = providers.find((each) => each.name === name)
  if (known === undefined) return `"${name}" names no provider that is known here: troupe models lists them`
  const { variable } = known
  return `${name} is not configured: ${variable === null ? 'no settings name it' : `${variable} is not set`}`
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
