import type { ResolvedTeam } from '../../protocol/team/team-card.ts'
import type { CodeToolCard } from '../../protocol/team/team-tools.ts'
import { sourceTraits } from '../../protocol/permissions/permission.ts'
import type { Grant, Settings, SettingsLayer, SettingsPlace } from '../../protocol/permissions/settings.ts'
import { modeWidth } from '../permissions/mode.ts'
import { closingSandbox, openingSandbox } from '../sandbox/settings-sandbox.ts'

/**
 * Lists what a file of the workspace would open: allow rules, a mode that asks less, further directories, a sandbox with holes.
 * Files from outside of the workspace (a person's own, the managed policy) need nobody's trust.
 */
export function grantsOf(layer: SettingsLayer): readonly Grant[] {
  if (!isWorkspace(layer.place)) return []
  const { allow, mode, directories, sandbox, place } = layer
  const opening = sandbox === null ? null : openingSandbox(sandbox)
  return [
    ...allow.map((rule): Grant => ({ kind: 'allow', ...rule })),
    ...(mode !== null && modeWidth[mode.text] > modeWidth.default
      ? [{ kind: 'mode', text: `mode ${mode.text}`, at: mode.at } as const]
      : []),
    ...directories.map(({ text, at }): Grant => ({ kind: 'directory', text: `directory ${text}`, at })),
    ...(opening === null ? [] : [{ kind: 'sandbox', text: `sandbox ${opening}`, at: place.shown } as const]),
  ]
}

/** The file lies in the workspace, so that whoever made the workspace may have written it. */
export function isWorkspace({ source }: SettingsPlace): boolean {
  return sourceTraits[source].files === 'workspace'
}

/** The allow rules that a team file brings along for anyone in the team, each once, and the code that it runs. */
export function teamGrants(team: ResolvedTeam): readonly Grant[] {
  const rules = [team, ...team.members].flatMap(({ permissions }) => permissions.allow ?? [])
  const allows = [...new Set(rules)].map((text): Grant => ({ kind: 'allow', text, at: team.file }))
  return [...allows, ...(team.code_tools ?? []).map((card) => ({ ...codeGrant(card), at: team.file }))]
}

/** Code is trusted by its content: another content is another grant. */
export function codeGrant({ file, sha256 }: CodeToolCard): Pick<Grant, 'kind' | 'text'> {
  return { kind: 'code', text: `code ${file} sha256:${sha256}` }
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
    allow: layer.allow.filter(({ text }) => !closed.has(text)),
    mode: mode !== null && closed.has(`mode ${mode.text}`) ? null : mode,
    directories: layer.directories.filter(({ text }) => !closed.has(`directory ${text}`)),
    sandbox: open ? sandbox : closingSandbox(sandbox),
  }
}
