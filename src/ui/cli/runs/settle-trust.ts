import { askLine } from '../host/ask-line.ts'
import { hasPerson } from '../host/has-person.ts'
import type { PermissionMode } from '../../../protocol/permissions/permission.ts'
import type { Grant } from '../../../protocol/permissions/settings.ts'
import type { ResolvedTeam } from '../../../protocol/team/team-card.ts'
import { trustQuestion, trustWorkspace } from '../../../runtime/settings/workspace-trust.ts'
import { print, type Host, type Flags, type Values } from '../host/host.ts'
import { plainLine } from '../../text/plain-text.ts'
import { shortPath } from '../text/diagnostics-text.ts'
import { UserError } from '../host/user-error.ts'

export type ModeOptions = Flags<'dangerouslySkipPermissions'> & Values<'mode', PermissionMode>

/** The mode that the command line asks for; `bypassPermissions` needs a word of its own. */
export function wishedMode({ mode, dangerouslySkipPermissions: skip }: ModeOptions): PermissionMode | undefined {
  if (mode === 'bypassPermissions' && !skip) {
    throw new UserError('--mode bypassPermissions lets agents do anything unasked; add --dangerously-skip-permissions')
  }
  return mode ?? (skip ? 'bypassPermissions' : undefined)
}

interface TrustSetting extends ModeOptions, Flags<'trust'> {
  readonly team: ResolvedTeam
  readonly cwd: string
}

/**
 * Before a run: what the workspace's own files would open is shown to the person at the terminal and asked about once.
 *
 * @returns what does not count, in a sentence for a run that nobody could be asked about; null when all is settled
 */
export async function settleTrust(setting: TrustSetting, host: Host): Promise<string | null> {
  const { team, cwd, trust } = setting
  const { home, policyRoot } = host
  const flags = { mode: wishedMode(setting), bypass: setting.dangerouslySkipPermissions === true }
  const question = await trustQuestion({ cwd, home, policyRoot, flags }, team)
  if (flags.bypass && !question.settings.bypass) {
    const why = question.settings.problems.find(({ code }) => code === 'bypass_shut')?.message
    throw new UserError(why ?? 'bypassPermissions mode is kept shut by the settings')
  }
  const { grants, workspace } = question
  if (trust || grants.length === 0) return null
  if (hasPerson(host)) {
    await print(host.stderr, `${grantsText(workspace, grants)}\n`)
    if (!(await askYesNo('Shall they count? They are remembered until they change. [y/N] ', host))) return null
    trustWorkspace(home, question)
    return null
  }
  const texts = grants.map(({ text }) => plainLine(text)).join(', ')
  const elsewhere = cwd === host.cwd ? '' : ` --cwd ${cwd}`
  const way = `troupe trust ${shortPath(team.file, host.cwd)}${elsewhere}`
  return `what the workspace's own files open does not count here (${texts}); let it count with ${plainLine(way)}, or with --trust for one run`
}

/** All permissions that trust would open, each with its place. */
export function grantsText(workspace: string, grants: readonly Grant[]): string {
  const lines = grants.map(({ text, at }) => `  ${plainLine(text)}   ${plainLine(at)}`)
  return [`Files in ${plainLine(workspace)} would open this to agents, unasked:`, ...lines].join('\n')
}

/**
 * Asks a person at the terminal. Only a clear yes is one; the end of the input is a no.
 *
 * @example if (await askYesNo('Trust it? [y/N] ', host)) …
 */
export async function askYesNo(question: string, host: Host): Promise<boolean> {
  return /^y(es)?$/i.test((await askLine(question, host)).trim())
}
