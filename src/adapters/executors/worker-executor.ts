import { setTimeout as pause } from 'node:timers/promises'
import { errorText } from '../../protocol/words/error-text.ts'
import { HopelessStart, type Executor, type SpawnManifest } from '../../protocol/team/executor.ts'
import { endProcess, killMarked } from '../process/end-process.ts'
import { isAlive, type ProcessIdentity } from '../process/liveness.ts'
import { exitText, signalText } from '../../rules/shell/walk/exit-signal.ts'
import type { Launched, ProcessEnd, WorkerPlace, WorkerCommand } from './place.ts'

/** The end of a worker's process: how it ended, as its place tells, and the last lines that it wrote. */
export interface WorkerEnd {
  readonly how: string
  readonly last: string
}

/** The leader's control over a worker in another process; all of it goes through the run directory. */
export interface WorkerControl {
  /** A worker of an earlier leader that still lives and is what it should be; one that is something else is ended. */
  adopt(member: string): Promise<ProcessIdentity | null>
  /** Writes the orders of a new life. */
  prepare(manifest: SpawnManifest): WorkerCommand | Promise<WorkerCommand>
  /**
   * Resolves when the worker has said hello and was understood; rejects when it said something else, and with the signal's
   * reason when it has said nothing until then.
   */
  hello(member: string, signal: AbortSignal): Promise<ProcessIdentity>
  /** Resolves when the worker has all that it needs and has begun; rejects as `hello` does. */
  begun(member: string, signal: AbortSignal): Promise<void>
  /** The worker may begin, has to leave, or has to stop where it is. */
  order(member: string, standing: 'work' | 'leave' | 'halt', reason: string | null): void
  /** The mark that the worker's processes carry in their environment. */
  mark(member: string): string
  /** Told when the worker's process is over. */
  ended(member: string, end: WorkerEnd): void
}

/** For the place's word on how a process ended that is seen to be gone. */
const endMs = 200
/** Until the worker must have said hello, and again until it must have begun. */
const helloMs = 30_000
/** For leaving in order. */
const leaveMs = 8_000
/** For stopping where it is; its commands are told to end. */
const haltMs = 4_000
/** For TERM, and again for KILL. */
const killMs = 2_000
/** Where it is, as if it were killed. */
const atOnce = { leave: haltMs, kill: 0 } as const
/** Between two looks whether a process lives that nobody tells us about. */
const lookMs = 250

export interface WorkerExecutor extends Executor {
  /** Returns when every process is over, those that were left to themselves by force, and the place is gone. */
  close(): Promise<void>
  /** The same at once: every worker stops where it is, as if it were killed. */
  halt(): Promise<void>
}

interface Outpost {
  readonly launched: Launched
  process: ProcessIdentity | null
  readonly over: PromiseWithResolvers<void>
}

/**
 * Runs workers as processes of their own, wherever `place` starts them.
 * 1. A worker is ready when it has said back what it was told to be and has begun; never by what a pane shows.
 * 2. It ends by request, then TERM to its group, then KILL; what it left running goes with it.
 * 3. Everything else between leader and worker is mail and journals.
 * 4. A worker of which nothing is heard twice in a row will not be heard the third time: its start is hopeless.
 * It never decides who lives.
 */
export function workerExecutor(kind: string, place: WorkerPlace, control: WorkerControl): WorkerExecutor {
  const workers = new Map<string, Outpost>()
  const endings = new Map<string, Promise<void>>()
  const halted = new AbortController()
  const { bringUp, attend } = outposts({ kind, place, control, workers, missed: new Map(), halted: halted.signal })
  return {
    async spawn(manifest) {
      const { member } = manifest
      // One that has said good-bye may not have ended yet.
      await endings.get(member)
      if (workers.has(member)) throw new Error(`${member} is already running`)
      const outpost = await bringUp(manifest)
      void attend(member, outpost)
    },
    async terminate(member, reason, cut = false) {
      const outpost = workers.get(member)
      if (!outpost) return false
      control.order(member, cut ? 'halt' : 'leave', reason)
      const ending = leave(outpost, cut ? atOnce : undefined)
      endings.set(member, ending)
      await ending.finally(() => endings.get(member) === ending && endings.delete(member))
      return true
    },
    async close() {
      await Promise.all([...workers.values()].map((outpost) => leave(outpost)))
      await place.close?.()
    },
    async halt() {
      // One that has not said hello yet is never told to begin.
      halted.abort(new Error('its leader was interrupted'))
      const greeted = [...workers].filter(([, { process }]) => process !== null)
      await Promise.all(
        greeted.map(([member, outpost]) => {
          control.order(member, 'halt', 'its leader was interrupted')
          return leave(outpost, atOnce)
        }),
      )
      await place.close?.()
    },
  }
}

interface Parts {
  readonly kind: string
  readonly place: WorkerPlace
  readonly control: WorkerControl
  readonly workers: Map<string, Outpost>
  /** How often in a row nothing was heard of a member. */
  readonly missed: Map<string, number>
  readonly halted: AbortSignal
}

/** How one outpost begins and how it ends. */
function outposts(parts: Parts) {
  const { kind, place, control, workers, missed } = parts
  const finish = async (member: string, outpost: Outpost): Promise<string> => {
    killMarked(control.mark(member))
    const last = (await outpost.launched.lastLines?.()) ?? ''
    await outpost.launched.close?.()
    workers.delete(member)
    outpost.over.resolve()
    return last
  }
  const begin = async (member: string, outpost: Outpost): Promise<void> => {
    try {
      await greet(member, outpost, parts)
    } catch (error) {
      if (outpost.process) await endProcess(outpost.process, killMs)
      const text = notBegun({ member, kind, why: errorText(error), last: await finish(member, outpost) })
      throw failedStart(text, error, { member, missed })
    }
  }
  return {
    async bringUp(manifest: SpawnManifest): Promise<Outpost> {
      const { member } = manifest
      const adopted = await control.adopt(member)
      const launched = adopted ? inherited(adopted) : await place.launch(await control.prepare(manifest))
      const outpost: Outpost = { launched, process: launched.process ?? null, over: Promise.withResolvers() }
      workers.set(member, outpost)
      if (!adopted) await begin(member, outpost)
      return outpost
    },
    async attend(member: string, outpost: Outpost): Promise<void> {
      await whenOver(outpost)
      const end = await Promise.race([outpost.launched.exited, pause(endMs, undefined, { ref: false })])
      const last = await finish(member, outpost)
      control.ended(member, { last, how: endText(end) })
    },
  }
}

/** Hears the hello of a worker, lets it work, and waits until it has begun. */
async function greet(member: string, outpost: Outpost, { place, control, missed, halted }: Parts): Promise<void> {
  const { helloMs: withinMs = helloMs } = place
  outpost.process = await heard(outpost, withinMs, (signal) => control.hello(member, signal))
  missed.delete(member)
  halted.throwIfAborted()
  control.order(member, 'work', null)
  await heard(outpost, withinMs, (signal) => control.begun(member, signal))
  await outpost.launched.ready?.()
}

/** How a process ended, in words; nothing where its place does not know. */
function endText(end: ProcessEnd | void): string {
  if (!end) return ''
  return `: ${end.signal === null ? exitText(end.code ?? 0) : signalText(end.signal)}`
}

/** A worker was launched and never heard of. */
class Unheard extends Error {}

/** The failure of a start; hopeless when it is the second in a row of which nothing was heard. */
function failedStart(
  text: string,
  cause: unknown,
  { member, missed }: Pick<Parts, 'missed'> & { member: string },
): Error {
  const times = cause instanceof Unheard ? (missed.get(member) ?? 0) + 1 : 0
  missed.set(member, times)
  return times < 2 ? new Error(text, { cause }) : new HopelessStart(text, { cause })
}

/** The last words come first: a line that is cut still says the reason. */
function notBegun({ member, kind, why, last }: Record<'member' | 'kind' | 'why' | 'last', string>): string {
  const began = `${member} did not begin in ${kind}`
  const [end = '', ...rest] = last.split('\n').toReversed()
  if (end === '') return `${began}: ${why}`
  return [`${began}: ${end} (${why})`, ...rest.toReversed()].join('\n')
}

/** Waits until it has left, and makes it leave. */
async function leave(
  { over: { promise }, process }: Outpost,
  patience: { readonly leave: number; readonly kill: number } = { leave: leaveMs, kill: killMs },
): Promise<void> {
  const left = await Promise.race([promise.then(() => true), pause(patience.leave, false, { ref: false })])
  if (!left && process) await endProcess(process, patience.kill)
  await promise
}

/** The word of a worker that is being launched, unless it ends before or stays silent. */
async function heard<Word>(
  outpost: Outpost,
  withinMs: number,
  say: (signal: AbortSignal) => Promise<Word>,
): Promise<Word> {
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(new Unheard('it said nothing')), withinMs)
  void whenOver(outpost, silence.signal).then(
    (end) => silence.abort(endedEarly(outpost, end)),
    () => undefined,
  )
  try {
    return await say(silence.signal)
  } finally {
    clearTimeout(timer)
    silence.abort(new Error('nobody listens any more'))
  }
}

/** Where only a hello tells of the process, it was the launcher that ended: that tells of no end of a process. */
function endedEarly({ launched }: Outpost, end: ProcessEnd | void): Error {
  return launched.process || end ? new Error('its process ended') : new Unheard('it was not launched')
}

/** Resolves when the process is over, as its place tells or as it looks. */
async function whenOver({ launched, process }: Outpost, signal?: AbortSignal): Promise<ProcessEnd | void> {
  if (!process) return launched.exited
  const look = new AbortController()
  const over = signal ? AbortSignal.any([signal, look.signal]) : look.signal
  const looked = (async () => {
    while (isAlive(process.pid, process.started)) await pause(lookMs, undefined, { ref: false, signal: over })
  })()
  return Promise.race([launched.exited, looked]).finally(() => look.abort())
}

/** A process that an earlier leader started. */
function inherited(process: ProcessIdentity): Launched {
  return { process, exited: new Promise(() => undefined) }
}
