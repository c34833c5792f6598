import { resolve } from 'node:path'
import type { OpenAiApi } from '../../protocol/models/model-servers.ts'
import type { ProviderSpecs } from '../../protocol/words/provider-spec.ts'
import type { Model, Providers } from '../../protocol/models/model.ts'
import { didYouMean } from '../../rules/tools/did-you-mean.ts'
import { ModelUnavailable } from './served/model-unavailable.ts'
import { fileProviders, providers, specOf, variableOf } from '../../rules/settings/known-providers.ts'
import type { ReportingModel } from './scripted/scripted.ts'
import type { ServerTimeouts } from './served/server-options.ts'

export interface OpenModelOptions {
  /** The members that the model answers, for an error about it. */
  readonly users?: readonly string[]
  /** The folder that `scripted/<file>` and `recorded/<file>` are looked for in: the team file's directory. */
  readonly baseDir: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Which of OpenAI's APIs a server is spoken to in, when not the provider's usual one. */
  readonly api?: OpenAiApi
  /** How long a server may take to begin, and to be silent once it has; each has a default. */
  readonly patience?: ServerTimeouts
  /** Providers beside the built-in ones. */
  readonly providers?: Providers | undefined
  /** Servers by names of one's own, or another way to those that are known. */
  readonly servers?: ProviderSpecs
  /** Members in several processes ask this model, so that no one of them can write down what it answers. */
  readonly shared?: boolean
}

/** A model; scripted ones also say at the end what was never asked. */
export type OpenedModel = Model & Partial<Pick<ReportingModel, 'report' | 'credit'>>

type Open = (name: string, rest: string, options: OpenModelOptions) => Promise<OpenedModel>

/** Loaded when one is opened: neither kind needs what the other stands on. */
const servers = once(() => import('./servers.ts'))
const scripts = once(() => import('./scripted/scripted.ts'))

/** An import that is there already still costs a third of a millisecond, which a thousand agents would each pay. */
function once<Part>(load: () => Promise<Part>): () => Promise<Part> {
  let loaded: Promise<Part> | undefined
  return () => (loaded ??= load())
}

/** The providers that answer from a file; all others have a server. */
const fromFiles: Readonly<Record<string, Open>> = {
  scripted: async (name, rest, { baseDir }) => (await scripts()).openScripted(name, resolve(baseDir, rest)),
  recorded: openCassette,
}

const quickstart = 'The quickstart needs none: troupe run teams/quickstart.yaml'

/**
 * Opens `provider/model`. Open a model once per run and share it: `report()` speaks for all who used it.
 *
 * @throws ModelUnavailable when the provider is unknown, its credential is absent, or its script is wrong
 *
 * @example
 * const model = await openModel('scripted/scripts/quickstart.yaml', { baseDir: 'teams', env: process.env })
 */
export async function openModel(name: string, options: OpenModelOptions): Promise<OpenedModel> {
  const [given = '', ...rest] = name.split('/')
  const model = rest.join('/')
  const open = fileProviders.has(given) ? fromFiles[given] : undefined
  if (open) return open(name, model, options)
  const named = options.servers ?? {}
  const spec = specOf(given, named)
  if (!spec) {
    const own = new Map(Object.entries(options.providers ?? {}))
    const opened = own.get(given)?.(model)
    if (opened) return opened
    throw unknownProvider(name, [...Object.keys(named), ...own.keys()])
  }
  const variable = variableOf(given, named)
  if (variable !== null && !options.env[variable]) {
    throw new ModelUnavailable(
      'missing_credential',
      `${name} needs ${variable}, which is not set${options.users ? ` (the model of ${options.users.join(', ')})` : ''}`,
      `Set ${variable}. ${quickstart}`,
    )
  }
  return (await servers()).openServed(name, model, { ...options, spec })
}

async function openCassette(name: string, rest: string, options: OpenModelOptions): Promise<OpenedModel> {
  const { openRecorded } = await import('./scripted/recorded.ts')
  const secrets = Object.entries(options.env).flatMap(([key, value]) =>
    key.endsWith('_API_KEY') && value ? [value] : [],
  )
  return openRecorded(name, resolve(options.baseDir, rest), {
    open: (inner) => openModel(inner, options),
    secrets,
    shared: options.shared === true,
  })
}

function unknownProvider(name: string, own: readonly string[]): ModelUnavailable {
  const known = [...providers.map((provider) => provider.name), ...own]
  const guess = didYouMean(name.split('/')[0] ?? '', known)
  const hint = guess ? `Did you mean ${guess}/…?` : `Known: ${known.join(', ')}.`
  return new ModelUnavailable(
    'not_found',
    `"${name}" names no provider that is known here`,
    `${hint} Write provider/model`,
  )
}
