import { dirname } from 'node:path'
import { resolveReal } from '../../adapters/fs/resolve-real.ts'
import { mayExist, settingsPlaces } from '../../adapters/settings/settings-places.ts'
import { readTrust, workspaceOf } from '../../adapters/settings/trust-file.ts'
import { builtinTools } from '../../adapters/tools/registry.ts'
import type { Diagnostic } from '../../protocol/words/diagnostic.ts'
import type { ProviderSpecs } from '../../protocol/words/provider-spec.ts'
import type { Settings, SettingsFile, SettingsPlace } from '../../protocol/permissions/settings.ts'
import { settleSettings, type PermissionFlags } from '../../rules/settings/settings-cascade.ts'
import { ruleWarnings } from '../../rules/settings/settings-warnings.ts'
import { systemPolicyRoot } from '../runs/policy-root.ts'
import type { SettingsRead } from './read-settings.ts'
import { unfencedText } from './policy.ts'

/** Where settings are looked for and what the command line adds. */
export interface SettingsOptions {
  /** Where the team works; absolute. */
  readonly cwd: string
  readonly home: string
  /** The directory of the managed policy; never taken from anything an agent can set. */
  readonly policyRoot?: string | undefined
  readonly flags?: PermissionFlags | undefined
  /** The part of the workspace's files that counts this once beside the remembered part: all, or these texts. */
  readonly trusted?: boolean | readonly string[] | undefined
  /** Tools beside the built-in ones, of which rules may speak. */
  readonly tools?: readonly string[]
}

/** The files of all sources as they were found at one moment. */
export interface FoundSettings {
  readonly places: readonly SettingsPlace[]
  readonly reads: readonly SettingsRead[]
  /** The managed policy's directory could not be listed: what it says is unknown. */
  readonly unlisted: readonly Diagnostic[]
}

/**
 * Reads every settings file there is and puts together what holds: rules with their places, modes, directories, the
 * sandbox, and everything wrong with the files. What is wrong never opens anything.
 *
 * @returns plain data; nothing is thrown for what files say
 * @example const { rules, problems } = await loadRules({ cwd: '/home/ann/shop', home: '/home/ann' })
 */
export async function loadRules(options: SettingsOptions): Promise<Settings> {
  return settle(await findSettings(options), options)
}

/**
 * The same as if one file stood in the place of those of the project and of the person. The managed policy stays.
 *
 * @param file Absolute; what it opens counts.
 * @throws Error where the file is none, or has a mistake in it
 */
export async function loadRulesWith(file: string, options: SettingsOptions): Promise<Settings> {
  const found = await findSettings(options)
  const { readSettings } = await import('./read-settings.ts')
  const foreign = file.includes('/.claude/')
  const read = await readSettings({ source: 'local', path: file, shown: file, root: options.cwd, foreign })
  if (read === null) throw new Error(`there is no file ${file}`)
  const [wrong] = read.diagnostics
  if (wrong !== undefined) throw new Error(`${wrong.file}:${wrong.line} ${wrong.message}`)
  const policy = found.reads.filter(({ layer }) => layer.place.source === 'policy')
  return settle({ ...found, reads: [...policy, read] }, { ...options, trusted: true })
}

/** The servers of models that the settings name, and their model for those that name none, for `loadTeam`. */
export interface SettingsModels {
  servers(): Promise<ProviderSpecs>
  defaultModel(): Promise<string | undefined>
}

/** `loadTeam('team.yaml', { ...settingsModels({ cwd, home }) })`. */
export function settingsModels(options: SettingsOptions): SettingsModels {
  return {
    servers: async () => (await loadRules(options)).providers,
    defaultModel: async () => (await loadRules(options)).model ?? undefined,
  }
}

/** Reads the files of every source. */
export async function findSettings(options: SettingsOptions): Promise<FoundSettings> {
  const { cwd, home, policyRoot = systemPolicyRoot } = options
  const { places, unlisted } = placesOf({ cwd, home, policyRoot })
  return { places, unlisted, reads: await readAll(places) }
}

/** Makes of the files that were found what holds now. */
export function settle({ places, reads, unlisted }: FoundSettings, options: SettingsOptions): Settings {
  const { cwd, home, flags = {}, policyRoot = systemPolicyRoot, trusted, tools = [] } = options
  const remembered = readTrust(home)
  const settled = settleSettings({
    layers: reads.map(({ layer }) => layer),
    flags,
    trusted: trusted === true ? 'all' : [...(trusted || []), ...(remembered.trust.get(workspaceOf(cwd, home)) ?? [])],
    tools: [...knownTools, ...tools],
    home,
  })
  const { directories, missing } = realDirectories(settled.additionalDirectories)
  return {
    ...settled,
    additionalDirectories: directories,
    files: reads.map(({ file }) => file),
    closed: closedPaths(places, policyRoot),
    problems: [
      ...unlisted,
      ...reads.flatMap(({ diagnostics }) => diagnostics),
      ...settled.problems,
      ...unfenced(settled.sandbox, reads),
      ...reads.flatMap(({ layer, file }) => unheeded(layer.place, file)),
      ...ruleWarnings({ ...settled, modes: flags.mode === undefined ? settled.modes : { cliArg: flags.mode } }),
      ...missing,
      ...(remembered.problem === null ? [] : [warning('trust_unread', remembered.problem, '~/.troupe/trust.json')]),
    ],
  }
}

function unfenced(sandbox: Settings['sandbox'], reads: readonly SettingsRead[]): readonly Diagnostic[] {
  const text = unfencedText(sandbox)
  if (text === null) return []
  const file = reads.find(({ layer }) => layer.sandbox?.enabled === true)?.layer.place.shown ?? 'settings'
  const hint = sandbox.failIfUnavailable === true ? {} : { hint: 'sandbox.failIfUnavailable lets none run' }
  return [{ ...warning('sandbox_missing', text, file), ...hint }]
}

/** Keys that an administrator wrote for another program and nobody here honours: somebody may rely on them. */
function unheeded({ source }: SettingsPlace, { file, ignored }: SettingsFile): readonly Diagnostic[] {
  if (source !== 'policy') return []
  return ignored.map(({ text, at }) => {
    const line = Number(/:(\d+)$/.exec(at)?.[1] ?? 1)
    return { ...warning('policy_not_honoured', `${text} of the managed policy is not honoured here`, file), line }
  })
}

/** Settings of every source: whoever could write them would give themselves leave. */
function closedPaths(places: readonly SettingsPlace[], policyRoot: string): readonly string[] {
  return [...new Set([policyRoot, ...places.map(({ path, foreign }) => (foreign ? path : dirname(path)))])]
}

/** Tools that rules may name although no built-in is called so. */
const elsewhere = ['Agent', 'AskUser', 'NotebookEdit', 'NotebookRead', 'Skill', 'Task', 'WebFetch', 'WebSearch']
const knownTools = [...new Set([...builtinTools.map(({ name }) => name), ...elsewhere])]

function placesOf(scope: { cwd: string; home: string; policyRoot: string }): {
  readonly places: readonly SettingsPlace[]
  readonly unlisted: readonly Diagnostic[]
} {
  try {
    return { places: settingsPlaces(scope), unlisted: [] }
  } catch (error) {
    const file = `${scope.policyRoot}/policy.d`
    const message = `the managed policy cannot be listed: ${String(error)}`
    // Reading the directory itself says once more, and as an error of the policy, that it cannot be read.
    const place: SettingsPlace = { source: 'policy', path: file, shown: file, root: scope.policyRoot, foreign: false }
    const rest = settingsPlaces({ ...scope, policyRoot: '/dev/null' })
    return { places: [place, ...rest], unlisted: [{ ...warning('unreadable', message, file), severity: 'error' }] }
  }
}

/** The parser is loaded only where there is something to parse: most starts of a worker need none. */
async function readAll(places: readonly SettingsPlace[]): Promise<readonly SettingsRead[]> {
  const present = places.filter(({ path }) => mayExist(path))
  if (present.length === 0) return []
  const { readSettings } = await import('./read-settings.ts')
  const reads = await Promise.all(present.map(readSettings))
  return reads.flatMap((read) => read ?? [])
}

/** A directory counts under the name it was given and under its real one; both may appear in calls. */
function realDirectories(given: readonly string[]) {
  const directories: string[] = []
  const missing: Diagnostic[] = []
  for (const directory of given) {
    try {
      directories.push(directory, resolveReal(directory))
    } catch (error) {
      missing.push(warning('unreadable_directory', `${directory} cannot be used: ${String(error)}`, directory))
    }
  }
  return { directories: [...new Set(directories)], missing }
}

function warning(code: string, message: string, file: string): Diagnostic {
  return { severity: 'warning', code, message, file, line: 1, column: 1 }
}
