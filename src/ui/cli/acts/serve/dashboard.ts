import { basename } from 'node:path'
import type { ServedRuns } from '../../../../gateways/http/serve-runs.ts'
import { usualPort } from '../../host/usual-port.ts'
import type { ExitCode } from '../../host/exit-codes.ts'
import { print, printJson, workingDirectory, type Flags, type Host, type Values } from '../../host/host.ts'
import { openBrowser } from '../../host/open-browser.ts'
import { UserError } from '../../host/user-error.ts'
import { runDirectoryOf } from '../../runs/run-choice.ts'
import { openRunServer, untilStopped } from './serve-http.ts'

type DashboardOptions = Flags<'json'> &
  Values<'cwd'> &
  Values<'port', number> & {
    readonly open: boolean
    /** Plays the run up to so many facts, so many times faster. */
    readonly play?: { readonly speed: number; readonly until: number } | undefined
  }

/** Serves the dashboard until a signal ends it, and opens it in the browser. */
export async function dashboard(
  run: string | undefined,
  { port, open, json, play, cwd: given }: DashboardOptions,
  host: Host,
): Promise<ExitCode> {
  const cwd = workingDirectory(given, host)
  const id = run === undefined ? null : basename(runDirectoryOf(run, { cwd }, host))
  const served = await anywhere(port, cwd, host)
  return untilStopped(served, host, async () => {
    if (served.dashboard === null)
      throw new UserError('the page is not built: `npm run build` builds it; the package from the registry has it')
    const playing = play === undefined ? '' : `/overview?at=0&play=${play.speed}&until=${play.until}`
    const page = id === null ? served.dashboard : `${served.dashboard}/${encodeURIComponent(id)}${playing}`
    if (json) return printJson(host.stdout, { url: served.url, page, run: id, pid: process.pid })
    await print(host.stdout, `${page}\n`)
    await print(host.stderr, 'The address counts once, for ten minutes. Ctrl+C ends the server; the runs go on.\n')
    if (open) openBrowser(new URL(page), host.env)
  })
}

/** A server at the port that was asked for; where none was, at the usual one or a free one. */
async function anywhere(port: number | undefined, cwd: string, host: Host): Promise<ServedRuns> {
  const at = (each: number): Promise<ServedRuns> => openRunServer({ host: '127.0.0.1', port: each }, cwd, host)
  return port === undefined ? at(usualPort).catch(() => at(0)) : at(port)
}
