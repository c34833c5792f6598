import { start } from '../../adapters/teams/places.ts'
import { prune } from '../../adapters/teams/prune.ts'
import { isSource, readSource } from '../../adapters/teams/read-source.ts'
import { valueAt } from '../../adapters/teams/places.ts'
import { schemaDiagnostics } from '../../adapters/teams/schema-issues.ts'
import { parseYaml, type YamlSource } from '../../adapters/teams/yaml-source.ts'
import { parseJson } from '../../adapters/fs/parse-json.ts'
import type { Diagnostic } from '../../protocol/words/diagnostic.ts'
import type { Hook, HookSource } from '../../protocol/hooks/hook.ts'
import type { PermissionMode } from '../../protocol/permissions/permission.ts'
import {
  sandboxSettingsSchema,
  settingsSchema,
  type Placed,
  type SettingsDocument,
  type SettingsFile,
  type SettingsLayer,
  type SettingsPlace,
} from '../../protocol/permissions/settings.ts'
import { readHooks, type HookComplaint } from '../../rules/hooks/read-hooks.ts'
import { closingSandbox } from '../../rules/sandbox/settings-sandbox.ts'
import { maxAllowRules, withoutComments } from '../../rules/settings/settings-document.ts'

/** One settings file as it was found. */
export interface SettingsRead {
  readonly layer: SettingsLayer
  readonly file: SettingsFile
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Reads one settings file. Nothing is thrown for what it says. A file with a mistake in it opens nothing: its allow
 * rules, mode and directories do not count, while the deny and ask rules that can still be made out do.
 *
 * @returns null when there is no such file
 */
export async function readSettings(place: SettingsPlace): Promise<SettingsRead | null> {
  const source = readSource(place.shown, place.path)
  if (!isSource(source)) {
    if (source.code === 'not_found') return null
    const file: SettingsFile = { source: place.source, file: place.shown, status: 'unread', rules: 0, ignored: [] }
    return { layer: emptyLayer(place), file, diagnostics: [source] }
  }
  const value = parseJson(source.text)
  const yaml = parseYaml(place.shown, value === undefined ? withoutComments(source.text) : source.text)
  if (value === undefined) return broken({ place, yaml, value, ignored: [] }, [notJson(yaml)])
  // Other complaints of the YAML reader do not matter in a text that is JSON.
  const repeated = yaml.diagnostics.filter(({ code }) => code === 'duplicate_key' || code === 'too_deep')
  const { known, issues, ignored } = understood(value, place.foreign)
  const complaints = [...repeated, ...schemaDiagnostics(issues, { ...yaml, value }, settingsSchema)]
  const said: Said = {
    place,
    yaml,
    value: repeated.length > 0 ? undefined : value,
    ignored: ignored.map((path) => placedKey(yaml, path)),
  }
  const allowed = valueAt(value, ['permissions', 'allow'])
  if (Array.isArray(allowed) && allowed.length > maxAllowRules) {
    const message = `${allowed.length} allow rules; at most ${maxAllowRules} are taken`
    complaints.push({ severity: 'error', code: 'too_many_rules', message, file: place.shown, ...start })
  }
  return complaints.length > 0 || known === null ? broken(said, complaints) : whole(said, known)
}

interface Said {
  readonly place: SettingsPlace
  readonly yaml: YamlSource
  /** Undefined where the text is not JSON or says a thing twice: then only the tree of the text knows all of it. */
  readonly value: unknown
  readonly ignored: readonly Placed[]
}

/** Foreign files hold keys of their own: those are put aside before the rest is judged as strictly as ours. */
function understood(value: unknown, foreign: boolean) {
  const parsed = settingsSchema.safeParse(value)
  if (parsed.success) return { known: parsed.data, issues: [], ignored: [] }
  const { issues } = parsed.error
  if (!foreign) return { known: null, issues, ignored: [] }
  const strange = issues.filter((issue) => issue.code === 'unrecognized_keys' || isForeignValue(issue.path))
  const { value: rest, cuts } = prune(value, strange)
  const again = settingsSchema.safeParse(rest)
  if (!again.success) return { known: null, issues: again.error.issues, ignored: cuts }
  return { known: again.data, issues: [], ignored: cuts }
}

/** Modes, models and variables that mean something only elsewhere ask for nothing here. */
function isForeignValue(path: readonly PropertyKey[]): boolean {
  return path.join('.') === 'permissions.defaultMode' || path[0] === 'model' || path[0] === 'env'
}

function whole(said: Said, known: SettingsDocument): SettingsRead {
  const { place, yaml } = said
  const { permissions = {}, sandbox } = known
  const read = readHooks(known.hooks, { source: hookSource(place), at: (path) => atOf(yaml, yaml.place([...path])) })
  const { defaultMode, additionalDirectories, disableBypassPermissionsMode, classifier } = permissions
  const layer: SettingsLayer = {
    ...emptyLayer(place),
    allow: placedTexts(said, ['permissions', 'allow']),
    ...forbidding(said),
    mode: defaultMode === undefined ? null : placedMode(yaml, defaultMode),
    directories: additionalDirectories ? placedTexts(said, ['permissions', 'additionalDirectories']) : [],
    classifier:
      classifier === undefined ? null : { text: classifier, at: atOf(yaml, yaml.place(['permissions', 'classifier'])) },
    sandbox: sandbox ?? null,
    providers: known.providers ?? {},
    env: known.env ?? {},
    model: known.model ?? null,
    respectGitignore: known.respectGitignore ?? null,
    ...hooksOf(place, read.hooks, known),
    bypassDisabled: disableBypassPermissionsMode === 'disable',
    managedOnly: known.allowManagedPermissionRulesOnly === true && place.source === 'policy',
    critical: place.source === 'policy' ? (known.criticalCommands ?? null) : null,
  }
  return { layer, file: fileOf(said, 'read', layer), diagnostics: read.complaints.map((each) => warned(yaml, each)) }
}

function hooksOf(
  { source }: SettingsPlace,
  hooks: readonly Hook[],
  { disableAllHooks, allowManagedHooksOnly, allowedHttpHookUrls, httpHookAllowedEnvVars }: SettingsDocument,
): Pick<SettingsLayer, 'hooks' | 'hookSwitches'> {
  const managedOnly = source === 'policy' && allowManagedHooksOnly === true
  const http = { urls: allowedHttpHookUrls ?? null, variables: httpHookAllowedEnvVars ?? null }
  return { hooks, hookSwitches: { http, disableAll: disableAllHooks === true, managedOnly } }
}

function hookSource({ source }: SettingsPlace): HookSource {
  return source
}

/** A mistake in a hook is told, and its hook left out: the rules beside it hold. */
function warned(yaml: YamlSource, { path, message, hint }: HookComplaint): Diagnostic {
  const { line, column } = yaml.place([...path])
  const said = { severity: 'warning', code: 'hook_unusable', message, file: yaml.file, line, column } as const
  return hint === undefined ? said : { ...said, hint }
}

/** The rest of a file with mistakes: all rules that forbid. */
function broken(said: Said, complaints: readonly Diagnostic[]): SettingsRead {
  const { place, yaml } = said
  const at = (...path: readonly string[]): unknown => valueAt(yaml.value, path)
  const mode = at('permissions', 'defaultMode')
  const sandbox = sandboxSettingsSchema.safeParse(at('sandbox'))
  const layer: SettingsLayer = {
    ...emptyLayer(place),
    ...forbidding(said),
    mode: mode === 'plan' || mode === 'dontAsk' ? placedMode(yaml, mode) : null,
    sandbox: sandbox.success ? closingSandbox(sandbox.data) : null,
    bypassDisabled: at('permissions', 'disableBypassPermissionsMode') !== undefined,
    managedOnly: place.source === 'policy' && at('allowManagedPermissionRulesOnly') !== undefined,
  }
  return { layer, file: fileOf(said, 'partial', layer), diagnostics: complaints }
}

function forbidding(said: Said): Pick<SettingsLayer, 'ask' | 'deny' | 'blockedHosts'> {
  const listed = (name: string): readonly Placed[] => placedTexts(said, ['permissions', name])
  const deny = [...listed('deny'), ...placedTexts(said, ['disallowedTools'])]
  return { ask: listed('ask'), deny, blockedHosts: listed('blocked_hosts').map(({ text }) => text) }
}

function placedMode(yaml: YamlSource, mode: PermissionMode): Placed<PermissionMode> {
  return { text: mode, at: atOf(yaml, yaml.place(['permissions', 'defaultMode'])) }
}

function emptyLayer(place: SettingsPlace): SettingsLayer {
  return {
    place,
    allow: [],
    ask: [],
    deny: [],
    mode: null,
    directories: [],
    blockedHosts: [],
    classifier: null,
    providers: {},
    env: {},
    model: null,
    respectGitignore: null,
    hooks: [],
    hookSwitches: { http: { urls: null, variables: null }, disableAll: false, managedOnly: false },
    sandbox: null,
    bypassDisabled: false,
    managedOnly: false,
    critical: null,
  }
}

function fileOf({ place, ignored }: Said, status: 'read' | 'partial', layer: SettingsLayer): SettingsFile {
  const rules = layer.allow.length + layer.ask.length + layer.deny.length
  return { source: place.source, file: place.shown, status, rules, ignored }
}

function notJson(yaml: YamlSource): Diagnostic {
  const [first] = yaml.diagnostics
  const at = first ? { line: first.line, column: first.column } : start
  const why = first && first.code !== 'empty_file' ? `: ${first.message}` : ''
  const message = `the file is not JSON${why}; nothing that it allows counts`
  return { severity: 'error', code: 'json_syntax', message, file: yaml.file, ...at }
}

function placedTexts({ yaml, value }: Said, path: readonly string[]): readonly Placed[] {
  if (value === undefined) return yaml.texts(path).map((found) => ({ text: found.text, at: atOf(yaml, found) }))
  const list = valueAt(value, path)
  if (!Array.isArray(list)) return []
  return list.flatMap((text: unknown, i) =>
    typeof text === 'string' ? [{ text, at: atOf(yaml, yaml.place([...path, i])) }] : [],
  )
}

function placedKey(yaml: YamlSource, path: readonly (string | number)[]): Placed {
  return { text: path.join('.'), at: atOf(yaml, yaml.place(path, 'key')) }
}

function atOf({ file }: YamlSource, { line }: { readonly line: number }): string {
  return `${file}:${line}`
}
