import type { ResolvedTeam } from '../../protocol/team/team-card.ts'
import type { ScopedServer } from '../../protocol/mcp/server-spec.ts'
import type { MemoryScope } from '../../protocol/memory/memory.ts'
import type { MemoryPlan } from '../../protocol/team/memory-card.ts'
import type { CodeToolCard, HttpToolCard } from '../../protocol/team/team-tools.ts'
import type { ProviderSpec, ProviderSpecs } from '../../protocol/words/provider-spec.ts'
import { sourceTraits, type PermissionMode } from '../../protocol/permissions/permission.ts'
import type { Grant, Settings, SettingsLayer, SettingsPlace } from '../../protocol/permissions/settings.ts'
import { hookText } from '../hooks/read-hooks.ts'
import { needsTrust, serverGrant } from '../mcp/server-scopes.ts'
import { modeWidth } from '../permissions/mode.ts'
import { closingSandbox, openingSandbox } from '../sandbox/settings-sandbox.ts'
import { specOf } from './known-providers.ts'

/**
 * Lists what a file of the workspace would open: allow rules, a mode that asks less, further directories, variables, a sandbox with
 * holes.
 * Files from outside of the workspace (a person's own, the managed policy) need nobody's trust.
 */
export function grantsOf(layer: SettingsLayer): readonly Grant[] {
  if (!isWorkspace(layer.place)) return []
  const { allow, mode, directories, sandbox, place } = layer
  const opening = sandbox === null ? null : openingSandbox(sandbox)
  return [
    ...allow.map((rule): Grant => ({ kind: 'allow', ...rule })),
    ...(mode !== null && widens(mode.text) ? [{ kind: 'mode', text: modeGrant(mode.text), at: mode.at } as const] : []),
    ...directories.map(({ text, at }): Grant => ({ kind: 'directory', text: `directory ${text}`, at })),
    ...Object.entries(layer.providers).map((each): Grant => ({ ...providerGrant(each), at: place.shown })),
    ...Object.entries(layer.env).map((each): Grant => ({ kind: 'env', text: variableGrant(each), at: place.shown })),
    ...layer.hooks.map((hook): Grant => ({ kind: 'hook', text: hookText(hook), at: hook.at })),
    ...(opening === null ? [] : [{ kind: 'sandbox', text: `sandbox ${opening}`, at: place.shown } as const]),
  ]
}

/** The file lies in the workspace, so that whoever made the workspace may have written it. */
export function isWorkspace({ source }: SettingsPlace): boolean {
  return sourceTraits[source].files === 'workspace'
}

/**
 * The openings that a team file brings along for anyone in the team, each once: allow rules, modes that ask less, variables
 * that its HTTP tools send, the code that it runs.
 *
 * @param places where each text stands, as `file:line`; the file alone for others
 */
export function teamGrants(team: ResolvedTeam, places: Readonly<Record<string, string>> = {}): readonly Grant[] {
  const cards = [team, ...team.members]
  const rules = cards.flatMap(({ permissions }) => permissions.allow ?? [])
  const modes = cards.flatMap(({ permissions: { mode = 'default' } }) => (widens(mode) ? [modeGrant(mode)] : []))
  const sent = Object.entries(team.http_tools ?? {}).flatMap(([name, card]) => sentBy(name, card) ?? [])
  const hooks = cards.flatMap(({ hooks: own = [] }) => own.map(hookText))
  const memories = team.members.flatMap(({ memory }) => (memory === undefined ? [] : sharedMemories(memory)))
  const asked: readonly Omit<Grant, 'at'>[] = [
    ...[...new Set(rules)].map((text) => ({ kind: 'allow', text }) as const),
    ...[...new Set(modes)].map((text) => ({ kind: 'mode', text }) as const),
    ...sent.map((text) => ({ kind: 'tool', text }) as const),
    ...[...new Set(hooks)].map((text) => ({ kind: 'hook', text }) as const),
    ...memories.map((text) => ({ kind: 'memory', text }) as const),
    ...(team.code_tools ?? []).map(codeGrant),
    ...Object.entries(team.providers ?? {}).map(providerGrant),
  ]
  const servers = Object.entries(team.mcp_servers ?? {}).map(([name, server]) => ({ name, ...server }))
  return [...asked.map((grant) => ({ ...grant, at: places[grant.text] ?? team.file })), ...serverGrants(servers)]
}

/** Servers that files of the workspace bring along: each is a program that is started, or an address that is told things. */
export function serverGrants(servers: readonly ScopedServer[]): readonly Grant[] {
  return servers
    .filter((server) => needsTrust(server) && server.spec.disabled !== true)
    .map(({ name, spec, file }) => ({ kind: 'mcp', text: serverGrant(name, spec), at: file }))
}

function widens(mode: PermissionMode): boolean {
  return modeWidth[mode] > modeWidth.default
}

/** `mode acceptEdits`: a mode as a text that a person trusts. */
export function modeGrant(mode: PermissionMode): string {
  return `mode ${mode}`
}

/** The mode of a file in the workspace, where it may count: one that asks less than usual has to be trusted. */
export function trustedMode(
  mode: PermissionMode | undefined,
  trusted: Settings['trusted'],
): PermissionMode | undefined {
  return mode !== undefined && widens(mode) && !isTrusted(trusted, modeGrant(mode)) ? undefined : mode
}

/** The variables that an HTTP tool sends, and where to, as a text that a person trusts; null when it sends none. */
export function sentBy(name: string, card: HttpToolCard): string | null {
  const variables = sentVariables(card)
  return variables.length === 0
    ? null
    : `tool ${name} sends ${variables.map((each) => `$${each}`).join(', ')} to ${card.url}`
}

/** `{ headers: { authorization: 'Bearer ${TOKEN}' } }` → `['TOKEN']` */
export function sentVariables({ headers = {} }: Pick<HttpToolCard, 'headers'>): readonly string[] {
  const found = Object.values(headers).flatMap((template) => [...template.matchAll(/\$\{(\w+)\}/g)])
  return [...new Set(found.map(([, variable = '']) => variable))]
}

/** Code is trusted by its content: another content is another grant. */
export function codeGrant({ file, sha256 }: CodeToolCard): Pick<Grant, 'kind' | 'text'> {
  return { kind: 'code', text: `code ${file} sha256:${sha256}` }
}

/**
 * A provider as a text that a person trusts: its address, what is sent there, the command that is run. What a known name
 * brings along counts as said.
 *
 * @example providerGrant(['mine', { base_url: 'https://x', key: '$MINE' }]).text // 'provider mine sends $MINE to https://x'
 */
export function providerGrant([name, spec]: readonly [string, ProviderSpec]): Pick<Grant, 'kind' | 'text'> {
  const { base_url: address = 'its usual address', region, query } = spec
  const { key, cloud, headers = {} } = specOf(name, { [name]: spec }) ?? spec
  const credentials = [
    ...(typeof key === 'string' ? [key] : []),
    ...(key === undefined && cloud !== undefined ? [`a login at ${cloud}`] : []),
    ...sentVariables({ headers }).map((each) => `$${each}`),
  ]
  const sent = credentials.length === 0 ? 'asks' : `sends ${credentials.join(', ')} to`
  const ran = typeof key === 'object' ? `runs \`${key.command}\` and ` : ''
  const place = region === undefined ? '' : ` in ${region}`
  const parameters = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`
  return { kind: 'provider', text: `provider ${name} ${ran}${sent} ${address}${place}${parameters}` }
}

/** `env NODE_OPTIONS=--require ./x.cjs`: a variable for commands as a text that a person trusts; it may decide what they run. */
function variableGrant([name, value]: readonly [string, string]): string {
  return `env ${name}=${value}`
}

/** Folders of memories in a workspace, as texts that a person trusts. They change with the work: each is trusted as a whole. */
export function sharedMemories({ scope, claude_agent }: MemoryPlan): readonly string[] {
  const claude =
    claude_agent === undefined || scope === 'user' ? [] : [`memory ${claudeMemoryPath(scope, claude_agent)}`]
  return [...(scope === 'project' ? [sharedMemoryGrant] : []), ...claude]
}

/** The folder that a project shares, as a text that a person trusts. */
export const sharedMemoryGrant = 'memory .troupe/memory'

/** The folder in which a subagent of Claude Code remembers, below a home or a project. */
export function claudeMemoryPath(scope: MemoryScope, agent: string): string {
  return `.claude/${scope === 'local' ? 'agent-memory-local' : 'agent-memory'}/${agent}`
}

/** The providers that count: those that a person trusts. */
export function trustedProviders(specs: ProviderSpecs, trusted: Settings['trusted']): ProviderSpecs {
  return Object.fromEntries(Object.entries(specs).filter((each) => isTrusted(trusted, providerGrant(each).text)))
}

/** Whether a person trusted this text in this workspace: `isTrusted(settings.trusted, 'Bash(make)')`. */
export function isTrusted(trusted: Settings['trusted'], text: string): boolean {
  return trusted === 'all' || trusted.includes(text)
}

/** The part of a layer that counts, given what of the workspace is trusted. */
export function trustedPart(layer: SettingsLayer, trusted: Settings['trusted']): SettingsLayer {
  const closed = new Set(grantsOf(layer).flatMap(({ text }) => (isTrusted(trusted, text) ? [] : [text])))
  if (closed.size === 0) return layer
  const { mode, sandbox } = layer
  const open = sandbox === null || !closed.has(`sandbox ${openingSandbox(sandbox)}`)
  return {
    ...layer,
    providers: isWorkspace(layer.place) ? trustedProviders(layer.providers, trusted) : layer.providers,
    env: Object.fromEntries(Object.entries(layer.env).filter((each) => !closed.has(variableGrant(each)))),
    hooks: layer.hooks.filter((hook) => !closed.has(hookText(hook))),
    allow: layer.allow.filter(({ text }) => !closed.has(text)),
    mode: mode !== null && closed.has(modeGrant(mode.text)) ? null : mode,
    directories: layer.directories.filter(({ text }) => !closed.has(`directory ${text}`)),
    sandbox: open ? sandbox : closingSandbox(sandbox),
  }
}
