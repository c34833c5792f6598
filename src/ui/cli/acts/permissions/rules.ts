import type { PermissionMode } from '../../../../protocol/permissions/permission.ts'
import {
  addRule,
  explainCallOf,
  listRules,
  type PlaceOfMember,
} from '../../../../runtime/permissions/permission-report.ts'
import { plainLine } from '../../../text/plain-text.ts'
import { type Paint, padWidth } from '../../../text/terminal-text.ts'
import { paintFor } from '../../../text/theme.ts'
import { exitCodes, type ExitCode } from '../../host/exit-codes.ts'
import { print, type Host, type Flags, type Values, printEither, workingDirectory } from '../../host/host.ts'
import { table } from '../../text/table.ts'
import { UserError } from '../../host/user-error.ts'
import { loadNamedTeam } from '../../runs/load-named-team.ts'
import { diagnosticLine } from '../../../../runtime/team-files/load-team.ts'
import { judgeLines } from '../../../../runtime/permissions/judge-stream.ts'

export type PlaceOptions = Flags<'json'> & Values<'cwd' | 'team' | 'member'> & Values<'mode', PermissionMode>

/** Prints the way of one call through the cascade. */
export async function permissionsExplain(call: string, options: PlaceOptions, host: Host): Promise<ExitCode> {
  const explanation = await usable(explainCallOf(call, await permissionPlace(options, host)))
  const waiting = unlookedLines(explanation, options)
  const text = explanationText({ call, explanation, waiting }, paintFor(host.stdout, host.env))
  await printEither({ document: { call, ...explanation }, text }, options, host)
  return exitCodes.done
}

/** Lists the rules in force with their places. */
export async function permissionsList(options: PlaceOptions, host: Host): Promise<ExitCode> {
  const { mode, rules, ...unlooked } = await usable(listRules(await permissionPlace(options, host)))
  const rows = rules.map(({ list, source, rule, at = '', note = '' }) => [
    list,
    source,
    plainLine(rule),
    at,
    plainLine(note),
  ])
  const shown = rows.length === 0 ? 'no rules\n' : table(['LIST', 'SOURCE', 'RULE', 'WHERE', 'NOTE'], rows)
  const text = [`mode ${mode}`, shown.trimEnd(), ...unlookedLines(unlooked, options)].join('\n')
  await printEither({ document: { mode, rules, ...unlooked }, text }, options, host)
  return exitCodes.done
}

export type AddOptions = Flags<'ask' | 'deny' | 'local' | 'user' | 'project'> & Values<'cwd'>

/** Writes one rule and warns of what keeps rules from deciding. */
export async function permissionsAdd(rule: string, options: AddOptions, host: Host): Promise<ExitCode> {
  const target = targetOf(options)
  const { path, added, warnings } = await usable(
    addRule({ rule, list: listOf(options), target }, await permissionPlace(options, host)),
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

/** The parts of settings files that were not looked at: nobody trusts them, or they are broken. */
function unlookedLines(
  { untrusted, problems }: Pick<Explanation, 'untrusted' | 'problems'>,
  { team, cwd }: Values<'team' | 'cwd'>,
): readonly string[] {
  const broken = problems.map((problem) => plainLine(diagnosticLine(problem)))
  if (untrusted.length === 0) return broken
  const way = `${team === undefined ? '' : ` ${plainLine(team)}`}${cwd === undefined ? '' : ` --cwd ${plainLine(cwd)}`}`
  return [
    ...broken,
    ...untrusted.map(({ text, at }) => `not trusted, so it does not count: ${plainLine(text)}  ${plainLine(at)}`),
    `troupe trust${way} lets it count`,
  ]
}

/** Where a command is told to look, and as whom. */
async function permissionPlace(options: Omit<PlaceOptions, 'json'>, host: Host): Promise<PlaceOfMember> {
  const { mode, team: named, member } = options
  if (member !== undefined && named === undefined) throw new UserError('--member needs --team: name its team, too')
  const cwd = workingDirectory(options.cwd, host)
  const team = named === undefined ? undefined : await loadNamedTeam(named, host, cwd)
  return { cwd, home: host.home, policyRoot: host.policyRoot, mode, team, member }
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

/**
 * Answers JSON lines from stdin with JSON lines on stdout as they come; 2 when some line was no call. A slow reader slows
 * the judging down: what waits to be read never grows.
 */
export async function permissionsTest(options: PlaceOptions, host: Host): Promise<ExitCode> {
  host.stdin.setEncoding('utf8')
  const place = await permissionPlace(options, host)
  const lines = host.stdin as AsyncIterable<string>
  const { mistakes } = await usable(judgeLines(lines, place, (text) => print(host.stdout, text)))
  if (mistakes === 0) return exitCodes.done
  host.stderr.write(`error: ${mistakes} of the lines were no calls; they were answered with deny\n`)
  return exitCodes.usage
}

type Explanation = Awaited<ReturnType<typeof explainCallOf>>

interface Explained {
  readonly call: string
  readonly explanation: Explanation
  readonly waiting: readonly string[]
}

const colours = { allow: 'green', ask: 'yellow', deny: 'red' } as const

/** The way of a call through the cascade for people: what was decided first, then every station with all its rules. */
function explanationText({ call, explanation, waiting }: Explained, paint: Paint): string {
  const { decision, mode, bounds, needs, never } = explanation
  const place = decision.at === undefined ? '' : `, ${decision.at}`
  const head = paint(colours[decision.behavior], decision.behavior.toUpperCase())
  return [
    `${head}  ${plainLine(call)}  (${mode} mode)`,
    `  ${decision.source}${place}: ${plainLine(decision.reason)}`,
    ...(never === undefined ? [] : [paint('yellow', `  never called: ${plainLine(never)}`)]),
    ...waiting.map((line) => `  ${line}`),
    '',
    `bounds  ${plainLine(bounds)}`,
    ...(['deny', 'ask', 'allow'] as const).flatMap((list) => [
      list,
      ...explanation[list].flatMap((found) => sourceLines(found, paint)),
    ]),
    'mode',
    ...needs.map(
      ({ what, granted }) => `  ${plainLine(what)}: ${granted ? 'granted' : 'not granted'} by ${mode} mode itself`,
    ),
  ].join('\n')
}

function sourceLines({ source, rules }: Explanation['deny'][number], paint: Paint): readonly string[] {
  if (rules.length === 0) return [paint('dim', `  ${padWidth(source, 8)} no rules`)]
  return rules.map(({ rule, at, matches, why }) => {
    const line = `  ${padWidth(source, 8)} ${plainLine(rule)}${at === undefined ? '' : `  ${at}`}  ${plainLine(why)}`
    return matches ? line : paint('dim', line)
  })
}
