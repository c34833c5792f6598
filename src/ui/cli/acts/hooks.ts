import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { errorText } from '../../../protocol/words/error-text.ts'
import { listHooks, tryHooks, type ListedHook, type Tried } from '../../../runtime/hooks/try-hooks.ts'
import { withPluginHooks } from '../../../runtime/plugins/plugin-parts.ts'
import { hooksHere } from '../../../runtime/hooks/hooks-here.ts'
import { findSkills } from '../../../runtime/skills/find-skills.ts'
import { loadNamedTeam } from '../runs/load-named-team.ts'
import { loadRules } from '../../../runtime/settings/load-rules.ts'
import { plainText } from '../../text/plain-text.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { printEither, workingDirectory, type Flags, type Host, type Values } from '../host/host.ts'
import { UserError } from '../host/user-error.ts'
import { table } from '../text/table.ts'
import { isRecord } from '../../../protocol/words/is-record.ts'

type HooksOptions = Flags<'json'> & Values<'cwd' | 'team'>

/** Lists the hooks of a workspace. */
export async function printHooks(options: HooksOptions, host: Host): Promise<ExitCode> {
  const { settings, here } = await hooksOf(options, host)
  const found = listHooks(here, settings.problems)
  await printEither({ document: found, text: plainText(listText(found)) }, options, host)
  return exitCodes.done
}

/** The hooks of a workspace, and of a team that is named. */
async function hooksOf({ cwd: wanted, team: file }: HooksOptions, host: Host) {
  const { home, policyRoot } = host
  const cwd = workingDirectory(wanted, host)
  const settings = withPluginHooks(await loadRules({ cwd, home, policyRoot }), home)
  const team = file === undefined ? undefined : await loadNamedTeam(file, host, cwd)
  return { cwd, settings, here: hooksHere(settings, { team, skills: findSkills({ cwd, home }) }) }
}

function listText({ hooks, untrusted, problems }: ReturnType<typeof listHooks>): string {
  const row = ({ event, matcher, kind, what, source, at, state }: ListedHook) => [
    event,
    matcher,
    kind,
    state,
    source,
    at,
    what,
  ]
  const head = ['EVENT', 'MATCHER', 'KIND', 'STATE', 'SOURCE', 'AT', 'WHAT']
  const waiting = untrusted.map(({ text, at }) => `${at} ${text}`)
  return [
    ...(hooks.length === 0 ? ['No hooks run here.'] : [table(head, hooks.map(row)).trimEnd()]),
    ...(waiting.length === 0
      ? []
      : ['', 'Not trusted, so they do not run (troupe trust shows and trusts them):', ...waiting]),
    ...problems.map(
      ({ file, line, message, hint }) => `${file}:${line} ${message}${hint === undefined ? '' : `; ${hint}`}`,
    ),
  ].join('\n')
}

/**
 * Runs the hooks of an event once.
 * @throws UserError for an unknown event, or input that is no JSON object
 */
export async function testHooks(event: string, options: HooksOptions & Values<'input'>, host: Host): Promise<ExitCode> {
  const { home, env } = host
  const fields = options.input === undefined ? {} : readInput(resolve(host.cwd, options.input))
  const { cwd, settings, here } = await hooksOf(options, host)
  const place = { cwd, home, env, now: () => performance.now() }
  const tried = await tryHooks({ hooks: here.hooks, providers: settings.providers }, place, { event, fields }).catch(
    (error: unknown) => {
      throw new UserError(errorText(error))
    },
  )
  await printEither({ document: tried, text: plainText(triedText(event, tried)) }, options, host)
  return exitCodes.done
}

function readInput(file: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UserError(`${file} cannot be read as JSON: ${errorText(error)}`)
  }
  if (!isRecord(value)) {
    throw new UserError(`${file} is no JSON object: write the fields of the event, as {"tool_name": "Bash", …}`)
  }
  return { ...value }
}

function triedText(event: string, { runs, answer, later }: Tried): string {
  if (runs.length === 0) return `No hook of ${event} concerns this.`
  const rows = runs.map(({ hook, outcome, duration_ms, message = '' }) => [
    outcome,
    `${Math.round(duration_ms)} ms`,
    hook,
    message.split('\n')[0] ?? '',
  ])
  const said = [
    ...(answer.decision === null ? [] : [`decision: ${answer.decision}`]),
    ...(answer.permission === null ? [] : [`permission: ${answer.permission.behavior} ${answer.permission.message}`]),
    ...(answer.blocks ? ['it is blocked'] : []),
    ...(answer.reason === '' ? [] : [`reason: ${answer.reason}`]),
    ...(answer.updatedInput === undefined ? [] : [`changed input: ${JSON.stringify(answer.updatedInput)}`]),
    ...(answer.stops === null ? [] : [`the turn ends: ${answer.stops}`]),
    ...answer.context.map((text) => `told to the model: ${text}`),
    ...answer.notices.map((text) => `told to the person: ${text}`),
    ...later.map((text) => `told to the model later: ${text}`),
  ]
  return [
    table(['OUTCOME', 'TIME', 'HOOK', 'MESSAGE'], rows).trimEnd(),
    '',
    ...(said.length === 0 ? ['no opinion'] : said),
  ].join('\n')
}
