import { resolve } from 'node:path'
import type { PermissionMode } from '../../../../protocol/permissions/permission.ts'
import {
  addRule,
  explainCall,
  listRules,
  type PermissionPlace,
} from '../../../../runtime/permissions/permission-report.ts'
import { paintFor } from '../../../text/colour.ts'
import { exitCodes, type ExitCode } from '../../host/exit-codes.ts'
import { explanationText } from '../../text/explanation-text.ts'
import { print, printJson, type Host } from '../../host/host.ts'
import { plainLine } from '../../../text/terminal-text.ts'
import { table } from '../../text/table.ts'
import { UserError } from '../../host/user-error.ts'

export interface PlaceOptions {
  readonly mode?: PermissionMode | undefined
  readonly cwd?: string | undefined
  readonly json?: true | undefined
}

/** Prints the way of one call through the cascade. */
export async function permissionsExplain(call: string, options: PlaceOptions, host: Host): Promise<ExitCode> {
  const explanation = await usable(explainCall(call, permissionPlace(options, host)))
  const text = options.json
    ? JSON.stringify({ call, ...explanation }, null, 2)
    : explanationText(call, explanation, paintFor(host.stdout, host.env))
  await print(host.stdout, `${text}\n`)
  return exitCodes.done
}

/** Lists the rules in force with their places. */
export async function permissionsList(options: PlaceOptions, host: Host): Promise<ExitCode> {
  const { mode, rules, settings } = await listRules(permissionPlace(options, host))
  if (options.json) {
    await printJson(host.stdout, { mode, rules, untrusted: settings.untrusted })
    return exitCodes.done
  }
  const rows = rules.map(({ list, source, rule, at = '', note = '' }) => [
    list,
    source,
    plainLine(rule),
    at,
    plainLine(note),
  ])
  const waiting = settings.untrusted.map(
    ({ text, at }) => `not trusted, so it does not count: ${plainLine(text)}  ${at}\n`,
  )
  const shown = rows.length === 0 ? 'no rules\n' : table(['LIST', 'SOURCE', 'RULE', 'WHERE', 'NOTE'], rows)
  await print(host.stdout, `mode ${mode}\n${shown}${waiting.join('')}`)
  return exitCodes.done
}

export interface AddOptions {
  readonly ask?: true | undefined
  readonly deny?: true | undefined
  readonly local?: true | undefined
  readonly user?: true | undefined
  readonly project?: true | undefined
  readonly cwd?: string | undefined
}

/** Writes one rule and warns of what keeps rules from deciding. */
export async function permissionsAdd(rule: string, options: AddOptions, host: Host): Promise<ExitCode> {
  const target = targetOf(options)
  const { path, added, warnings } = await usable(
    addRule({ rule, list: listOf(options), target }, permissionPlace(options, host)),
  )
  await print(host.stdout, `${added ? 'added to' : 'already in'} ${path}\n`)
  for (const warning of warnings) await print(host.stderr, `warning: ${plainLine(warning)}\n`)
  return exitCodes.done
}

function listOf({ ask, deny }: AddOptions): 'allow' | 'ask' | 'deny' {
  if (deny) return 'deny'
  return ask ? 'ask' : 'allow'
}

function targetOf({ user, project }: AddOptions): 'local' | 'project' | 'user' {
  if (user) return 'user'
  return project ? 'project' : 'local'
}

/** Where a command is told to look. */
export function permissionPlace({ mode, cwd }: Pick<PlaceOptions, 'mode' | 'cwd'>, host: Host): PermissionPlace {
  return { cwd: resolve(host.cwd, cwd ?? '.'), home: host.home, policyRoot: host.policyRoot, mode }
}

/** A person's mistake in a rule or file is theirs to mend: exit code 2. */
async function usable<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Error && !('code' in error)) throw new UserError(error.message)
    throw error
  }
}
