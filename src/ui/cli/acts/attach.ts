import type { ApprovalFile } from '../../../protocol/permissions/approval-file.ts'
import { runsLedNow } from '../../../runtime/runs/read-runs.ts'
import type { AttachTo } from '../../tui/attach.ts'
import type { pickRun } from '../../tui/run-picker.ts'
import { noRunText, readCast, type RunCast } from '../../../runtime/runs/read-cast.ts'
import type { Paint } from '../../text/terminal-text.ts'
import { paintFor, type Theme } from '../../text/theme.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { Readable, Writable } from 'node:stream'
import type { Context } from '../host/command.ts'
import { print, workingDirectory, type Host, type Flags, type Output, type Values } from '../host/host.ts'
import { openEditor } from '../host/open-editor.ts'
import { openNotifier } from '../host/notifier.ts'
import { questionText } from '../text/question-text.ts'
import { meantText, memberAndRun, runDirectoryOf } from '../runs/run-choice.ts'
import { UserError } from '../host/user-error.ts'
import { logs } from './logs.ts'

export type AttachOptions = Flags<'plain' | 'notify' | 'panes'> &
  Values<'cwd'> &
  Values<'theme', Theme> &
  Values<'mouse', boolean> & {
    readonly main?: Context['main'] | undefined
    /** Plays a recorded run instead of the one that is. */
    readonly player?: AttachTo['player']
  }

/** Shows a run on the terminal until the person leaves; as lines where it is no screen, or none is wanted. */
export async function attachTo(name: string | undefined, options: AttachOptions, host: Host): Promise<ExitCode> {
  if (options.panes) return inPanes(subjectOf(name, options, host), host)
  const isTyped = host.stdin.isTTY === true
  const isScreen = isTyped && host.stdout.isTTY === true && host.env['TERM'] !== 'dumb' && options.plain !== true
  if (options.player && !isScreen) throw new UserError('a screen is a terminal: troupe replay --speed prints the run')
  if (!isScreen && !isTyped) {
    subjectOf(name, options, host)
    return logs(name, { follow: true, cwd: options.cwd }, host)
  }
  const paint = paintFor(host.stdout, host.env, options.theme)
  const stop = new AbortController()
  const deaf = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((each) => host.onSignal(each, () => stop.abort()))
  const { stdin, stdout, now, onExit, onResize } = host
  const untold: string[] = []
  try {
    const runs = name === undefined && isScreen ? runsLedNow(workingDirectory(options.cwd, host)) : []
    const place = { stdin, stdout, paint, onExit, onResize }
    const chosen = runs.length > 1 ? await chosenOf(runs, place, { now, signal: stop.signal }) : name
    if (chosen === null) return exitCodes.done
    const subject = subjectOf(chosen, options, host)
    const problem = (text: string): void => void untold.push(text)
    const to = { ...attachedTo(subject, { options, host, problem }), signal: stop.signal }
    if (isScreen) await import('../../tui/attach.ts').then(({ attach }) => attach(to, place))
    else await byLines(to, paint, host)
  } finally {
    for (const unlisten of deaf) unlisten()
  }
  for (const text of untold) await print(host.stderr, `${text}\n`)
  return exitCodes.done
}

interface Attaching {
  readonly options: AttachOptions
  readonly host: Host
  readonly problem: (text: string) => void
}

/** The run, and what a person can do with it from here. */
function attachedTo({ dir, run, member }: Subject, { options, host, problem }: Attaching): Omit<AttachTo, 'signal'> {
  const { stdout, home, now, env } = host
  const note = openNotifier({ notify: options.notify, output: stdout, problem }, host)
  return {
    dir,
    run,
    member,
    home,
    env,
    now,
    monotonic: () => performance.now(),
    mouse: options.mouse,
    player: options.player,
    describe: (request) => describeIn(request, run),
    options: async (asked) => {
      const { listOptions } = await import('../../../runtime/settings/list-options.ts')
      return listOptions(dir, { ...asked, home, env, policyRoot: host.policyRoot })
    },
    call: (text) => note?.({ title: run.run, text }),
    troupe: (args) => printedBy(args, options.main, { ...host, cwd: run.cwd }),
    edit: (file) => openEditor(file, env),
  }
}

async function byLines(to: AttachTo, paint: Paint, { stdin, stdout }: Host): Promise<void> {
  const [{ attachPlain }, { transcriber }] = await Promise.all([
    import('../../tui/plain/attach-plain.ts'),
    import('../text/transcript-text.ts'),
  ])
  const show = transcriber({ paint, several: to.member === null, full: false })
  await attachPlain(to, { stdin, show, print: (text) => print(stdout, text) })
}

/** Each member in a pane of its own, which is an attach of its own. */
async function inPanes({ dir, run, member }: Subject, host: Host): Promise<ExitCode> {
  const { showPanes } = await import('../../../runtime/elsewhere/show-panes.ts')
  const shown = await showPanes(dir, { cast: run, member, env: host.env })
  await print(host.stderr, `in panes: ${shown.join(', ')}\n`)
  return exitCodes.done
}

/** The run that the person picks of several; null when none is. */
async function chosenOf(...picking: Parameters<typeof pickRun>): Promise<string | null> {
  const { pickRun: pick } = await import('../../tui/run-picker.ts')
  return pick(...picking)
}

/** Runs a command line beside the screen: it reads nothing, and what it prints is returned. */
async function printedBy(args: readonly string[], main: AttachOptions['main'], host: Host): Promise<string> {
  const written: string[] = []
  const page = (): Output => {
    const write = (chunk: unknown, _: BufferEncoding, done: () => void): void => {
      written.push(String(chunk))
      done()
    }
    return Object.assign(new Writable({ write }), { columns: host.stdout.columns ?? 80 })
  }
  await main?.(args, { ...host, stdin: Readable.from([]), stdout: page(), stderr: page() })
  return written.join('').trimEnd()
}

async function describeIn({ tool, input, task, ...asked }: ApprovalFile, { cwd }: RunCast): Promise<string> {
  // The colours of a text that is cut to lines afterwards would be cut, too.
  return questionText({ ...asked, call: { tool, input }, ...(task === null ? {} : { task }) }, cwd, (_, text) => text)
}

interface Subject {
  readonly dir: string
  readonly run: RunCast
  readonly member: string | null
}

function subjectOf(name: string | undefined, options: AttachOptions, host: Host): Subject {
  const { member, run: wanted } = memberAndRun(name)
  const dir = runDirectoryOf(wanted, options, host)
  const run = readCast(dir)
  if (run === null) throw new UserError(noRunText(dir))
  const names = run.members.map((each) => each.name)
  if (member !== null && !names.includes(member)) {
    throw new UserError(
      `the team ${run.team} has no member "${member}"${meantText(member, names)}; it has ${names.join(', ')}`,
    )
  }
  return { dir, run, member }
}
