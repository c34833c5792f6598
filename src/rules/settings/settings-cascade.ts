import type { Diagnostic } from '../../protocol/words/diagnostic.ts'
import type {
  Behavior,
  OriginsBySource,
  PermissionMode,
  PermissionSource,
  RuleLists,
  RuleOrigin,
  RulesBySource,
} from '../../protocol/permissions/permission.ts'
import type { ProviderSpecs } from '../../protocol/words/provider-spec.ts'
import type { Placed, SandboxSettings, Settings, SettingsLayer } from '../../protocol/permissions/settings.ts'
import { resolveFrom } from '../paths/path-inside.ts'
import { ruleComplaint, shortRule } from './settings-document.ts'
import { blockedHost } from '../paths/host-name.ts'
import { hooksInForce, switchedOff } from '../hooks/hooks-in-force.ts'
import { hookLimits, withinLimits } from '../hooks/http-limits.ts'
import { joinSandboxes } from '../sandbox/settings-sandbox.ts'
import { grantsOf, isTrusted, isWorkspace, trustedPart } from './settings-trust.ts'

/** The permission options of the command line. */
export interface PermissionFlags extends RuleLists {
  readonly mode?: PermissionMode | undefined
  /** bypassPermissions mode was opened by hand. */
  readonly bypass?: boolean | undefined
}

export interface SettingsParts {
  /** The strongest first. */
  readonly layers: readonly SettingsLayer[]
  readonly flags: PermissionFlags
  readonly trusted: Settings['trusted']
  /** Names of the tools that exist. */
  readonly tools: readonly string[]
  readonly home: string
}

export type SettledSettings = Omit<Settings, 'files' | 'closed'>

const lists = ['allow', 'ask', 'deny'] as const

/**
 * Puts what every source says together. Rules of all sources are kept, each with its place; one source's allow rule
 * never removes another's deny rule. What a workspace's own files open counts as far as it is trusted.
 */
export function settleSettings(parts: SettingsParts): SettledSettings {
  const { flags, trusted } = parts
  const layers = parts.layers.map((layer) => trustedPart(layer, trusted))
  const managedOnly = layers.some((layer) => layer.managedOnly)
  const bypass = flags.bypass === true && !layers.some(({ bypassDisabled }) => bypassDisabled)
  const sifted = siftedRules([...layers.flatMap(listedIn), ...flagged(flags)], { ...parts, managedOnly })
  const modes: Partial<Record<PermissionSource, PermissionMode>> = {}
  for (const { place, mode } of layers) if (mode !== null) modes[place.source] ??= mode.text
  if (flags.mode !== undefined) modes.cliArg = flags.mode
  const directories = directoriesOf(layers, parts.home)
  return {
    rules: sifted.rules,
    origins: sifted.origins,
    modes,
    bypass,
    managedOnly,
    critical: layers.find(({ critical }) => critical !== null)?.critical ?? null,
    blockedHosts: [...new Set(layers.flatMap(({ blockedHosts }) => blockedHosts.map(blockedHost)))],
    additionalDirectories: directories.found,
    classifier: layers.find(mayChooseClassifier)?.classifier?.text ?? null,
    sandbox: layers
      .flatMap(({ sandbox }) => (sandbox === null ? [] : [sandbox]))
      .reduce<SandboxSettings>(joinSandboxes, {}),
    providers: Object.assign({}, ...layers.toReversed().map(({ providers }) => providers)) as ProviderSpecs,
    env: Object.assign({}, ...layers.toReversed().map(({ env }) => env)) as Settings['env'],
    model: layers.find(({ model }) => model !== null)?.model ?? null,
    respectGitignore: layers.find((layer) => layer.respectGitignore !== null)?.respectGitignore ?? true,
    hooks: withinLimits(hooksInForce(layers), hookLimits(layers)),
    hooksOff: [...switchedOff(layers)],
    hookLimits: hookLimits(layers),
    trusted,
    untrusted: parts.layers.flatMap(grantsOf).filter(({ text }) => !isTrusted(trusted, text)),
    problems: [
      ...sifted.problems,
      ...directories.problems,
      ...shutBypass(layers, { bypass, flags }),
      ...deafToClassifiers(layers),
    ],
  }
}

/** The person or their administrator chooses the classifier: no workspace brings its own judge. */
function mayChooseClassifier({ place, classifier }: SettingsLayer): boolean {
  return classifier !== null && !isWorkspace(place)
}

function deafToClassifiers(layers: readonly SettingsLayer[]): Diagnostic[] {
  return layers.flatMap((layer): Diagnostic[] => {
    if (layer.classifier === null || mayChooseClassifier(layer)) return []
    const message = 'permissions.classifier does not count in the files of a workspace'
    const hint = 'write it in ~/.troupe/settings.json, or run with --classifier'
    return [{ severity: 'warning', code: 'ignored_classifier', message, hint, ...placeOf(layer.classifier.at) }]
  })
}

interface Listed extends Placed {
  readonly source: PermissionSource
  readonly list: Behavior
  readonly root?: string
  /** The source's leading `/` means another directory than people expect. */
  readonly anchored?: string
}

function listedIn({ place, ...layer }: SettingsLayer): Listed[] {
  const { source, root } = place
  const away = isWorkspace(place) ? {} : { anchored: root }
  return lists.flatMap((list) => layer[list].map((rule): Listed => ({ ...rule, source, list, root, ...away })))
}

function flagged(flags: RuleLists): Listed[] {
  return lists.flatMap((list) =>
    (flags[list] ?? []).map((text): Listed => ({ text, at: `--${list}`, source: 'cliArg', list })),
  )
}

interface Sifting {
  readonly tools: readonly string[]
  readonly managedOnly: boolean
}

function siftedRules(all: readonly Listed[], { tools, managedOnly }: Sifting) {
  const rules: Partial<Record<PermissionSource, Record<Behavior, string[]>>> = {}
  const origins: Partial<Record<PermissionSource, Record<Behavior, RuleOrigin[]>>> = {}
  const problems: Diagnostic[] = []
  for (const listed of all) {
    const { text, at, source, list, root } = listed
    const complaint = ruleComplaint(text, listed.anchored === undefined ? { list, tools } : { ...listed, tools })
    if (complaint !== null) problems.push({ severity: 'warning', ...complaint, ...placeOf(at) })
    if (list === 'allow' && managedOnly && source !== 'policy') continue
    // A broken rule opens nothing; one that forbids stays, and makes the calls it may be about ask.
    if (list === 'allow' && (complaint?.code === 'invalid_rule' || complaint?.drops === true)) continue
    const kept = complaint?.code === 'invalid_rule' ? shortRule(text) : text
    ;(rules[source] ??= { allow: [], ask: [], deny: [] })[list].push(kept)
    ;(origins[source] ??= { allow: [], ask: [], deny: [] })[list].push(root === undefined ? { at } : { at, root })
  }
  return { rules: rules satisfies RulesBySource, origins: origins satisfies OriginsBySource, problems }
}

function directoriesOf(layers: readonly SettingsLayer[], home: string) {
  const found: string[] = []
  const problems: Diagnostic[] = []
  for (const { place, directories } of layers) {
    for (const { text, at } of directories) {
      if (isWorkspace(place) || /^(\/|~\/|~$)/.test(text)) {
        found.push(resolveFrom(place.root, home, text))
      } else {
        const message = `${shortRule(text)} is relative to nothing here`
        const hint = 'write it from / or ~/'
        problems.push({ severity: 'warning', code: 'relative_directory', message, hint, ...placeOf(at) })
      }
    }
  }
  return { found: [...new Set(found)], problems }
}

function shutBypass(
  layers: readonly SettingsLayer[],
  { bypass, flags }: { readonly bypass: boolean; readonly flags: PermissionFlags },
): Diagnostic[] {
  if (bypass) return []
  const wishes = layers.flatMap(({ mode }) => (mode?.text === 'bypassPermissions' ? [mode.at] : []))
  if (flags.mode === 'bypassPermissions') wishes.push('--mode')
  const disabled = layers.find(({ bypassDisabled }) => bypassDisabled)
  const message =
    disabled === undefined
      ? 'bypassPermissions mode is opened by hand or not at all'
      : `bypassPermissions mode is kept shut by ${disabled.place.shown}`
  const hint = disabled === undefined ? { hint: 'start with --dangerously-skip-permissions' } : {}
  return wishes.map((at) => ({ severity: 'warning', code: 'bypass_shut', message, ...hint, ...placeOf(at) }))
}

function placeOf(at: string): Pick<Diagnostic, 'file' | 'line' | 'column'> {
  const [, file = at, line = '1'] = /^(.*):(\d+)$/s.exec(at) ?? []
  return { file, line: Number(line), column: 1 }
}
