import { join } from 'node:path'
import { serveRuns, type ServedRuns } from '../../../../gateways/http/serve-runs.ts'
import { errorText } from '../../../../protocol/words/error-text.ts'
import { settingsModels } from '../../../../runtime/settings/load-rules.ts'
import { loadTeam } from '../../../../runtime/team-files/load-team.ts'
import { collectRuns } from '../../../../runtime/upkeep/keep-runs.ts'
import { exitCodes, type ExitCode } from '../../host/exit-codes.ts'
import { noteTo, print, printJson, workingDirectory, type Flags, type Host, type Values } from '../../host/host.ts'
import { openBrowser } from '../../host/open-browser.ts'
import { packageRoot } from '../../host/package-root.ts'
import { UserError } from '../../host/user-error.ts'
import { teamFileOf } from '../../runs/find-team.ts'

export type ServeHttpOptions = Flags<'open' | 'json'> &
  Values<'cwd'> &
  Values<'olderThan' | 'keep' | 'maxSize', number> &
  Values<'allowHost', readonly string[]> & { readonly host: string; readonly port: number }

const collectMs = 10 * 60_000

/** Serves the runs of a directory until a signal ends it. */
export async function serveHttp(options: ServeHttpOptions, host: Host): Promise<ExitCode> {
  const cwd = workingDirectory(options.cwd, host)
  refuseUnnamed(options)
  const served = await openRunServer(options, cwd, host)
  const collecting = keepHouse(options, cwd, host)
  return untilStopped(served, host, async () => {
    await say(served, options, host)
    if (options.open) openBrowser(new URL(served.page), host.env)
  }).finally(() => clearInterval(collecting))
}

/** Lets a server that was opened stand until a signal ends it. */
export async function untilStopped(served: ServedRuns, host: Host, begin: () => Promise<void>): Promise<ExitCode> {
  const stopped = Promise.withResolvers<void>()
  const deaf = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((each) => host.onSignal(each, stopped.resolve))
  try {
    await begin()
    await stopped.promise
  } finally {
    await served.close()
    for (const unlisten of deaf) unlisten()
  }
  return exitCodes.done
}

/** A server that others can reach has a name by which they do; without one it would turn all of them away. */
function refuseUnnamed({ host, allowHost = [] }: ServeHttpOptions): void {
  if (/^(127\.\d+\.\d+\.\d+|localhost|::1)$/.test(host) || allowHost.length > 0) return
  throw new UserError(`--host ${host} is not this machine alone: name it with --allow-host, and put TLS in front of it`)
}

/** @throws UserError when the address is taken, or the tokens cannot be read */
export async function openRunServer(
  { host: address, port, allowHost }: Pick<ServeHttpOptions, 'host' | 'port' | 'allowHost'>,
  cwd: string,
  host: Host,
): Promise<ServedRuns> {
  const { home, env, policyRoot, version } = host
  const load = (team: string) =>
    loadTeam(teamFileOf(team, { cwd, home }), { cwd, env, ...settingsModels({ ...host, cwd }) })
  const dashboard = join(packageRoot(), 'dist', 'dashboard')
  const place = { cwd, home, env, policyRoot, version, load, host: address, port, dashboard }
  try {
    return await serveRuns({ ...place, ...(allowHost === undefined ? {} : { allowHosts: allowHost }) })
  } catch (error) {
    throw new UserError(`nothing is served at ${address}:${port}: ${errorText(error)}`)
  }
}

/** The code of the page goes to the person's terminal, or to the program that asked for JSON. */
async function say({ url, page, tokens }: ServedRuns, { json }: ServeHttpOptions, host: Host): Promise<void> {
  if (json) return printJson(host.stdout, { url, page, tokens, pid: process.pid })
  await print(host.stdout, `${url}\n`)
  await print(host.stderr, `Open ${page}\n(counts once, for ten minutes; tokens for programs: ${tokens})\n`)
}

/** Removes what is not to be kept, now and then. */
function keepHouse(
  { olderThan: olderThanMs, keep, maxSize: maxBytes }: ServeHttpOptions,
  cwd: string,
  { home, now, stderr }: Host,
): NodeJS.Timeout | undefined {
  if (olderThanMs === undefined && keep === undefined && maxBytes === undefined) return undefined
  const note = noteTo({ stderr })
  const collect = (): void => {
    try {
      collectRuns({ cwd, home, now: now(), dryRun: false, olderThanMs, keep, maxBytes })
    } catch (error) {
      note(`old runs are not removed: ${errorText(error)}`)
    }
  }
  collect()
  return setInterval(collect, collectMs)
}
