import { subscribe } from 'node:diagnostics_channel'
import fs from 'node:fs'
import { Session, type Profiler } from 'node:inspector'
import { syncBuiltinESMExports } from 'node:module'
import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { countVariable, type Count, type Executed, type Moment } from './counting.ts'

/*
 * Owns: the counting inside of one process of Troupe; `--import` loads it before anything of Troupe. Never: a word about
 * what a walk is.
 * 1. V8 sets its counters back whenever it is asked for them: its first answer is thrown away, and its second holds what
 *    ran between the two moments.
 * 2. Longer timers do not ring: how many did would say how busy the machine is. A process that is counted from its start
 *    hears them, and one that is counted from a signal hears them before; any other is ended after its walk, and can be
 *    without.
 */
const longTimerMs = 100
const { root, from, until, out } = JSON.parse(process.env[countVariable] ?? '') as Count
const session = new Session()
let phase: 'before' | 'within' | 'after' = 'before'

const writeSync = fs.writeSync
session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
globalThis.setTimeout = hushed(globalThis.setTimeout)
globalThis.setInterval = hushed(globalThis.setInterval)
listen()
passed((moment) => moment === 'start')

function listen(): void {
  process.on('SIGUSR2', () => passed((moment) => moment === 'signal'))
  process.on('exit', () => passed((moment) => moment === 'exit'))
  // One of them speaks: models are asked with node:http or with fetch.
  for (const channel of ['http.client.request.start', 'undici:request:create']) {
    subscribe(channel, () => passed((moment) => moment === 'request'))
  }
  fs.writeSync = ((...args: Parameters<typeof fs.writeSync>) => {
    const written = writeSync(...args)
    const [, data]: readonly unknown[] = args
    const lines = (data instanceof Uint8Array ? Buffer.from(data).toString() : String(data)).split('\n')
    passed((moment) => typeof moment === 'object' && lines.some((line) => holdsAll(line, moment.line)))
    return written
  }) as typeof fs.writeSync
  syncBuiltinESMExports()
}

function hushed<Set extends typeof setTimeout | typeof setInterval>(set: Set): Set {
  return new Proxy(set, {
    apply(target, self, [act, ms = 0, ...rest]: [(...rest: readonly unknown[]) => void, number?, ...unknown[]]) {
      const ring = (): void => {
        if (ms < longTimerMs || ringsLate()) act(...rest)
      }
      return Reflect.apply(target, self, [ring, ms]) as unknown
    },
  })
}

function ringsLate(): boolean {
  return from === 'start' || (from === 'signal' && phase === 'before')
}

function holdsAll(line: string, texts: readonly string[]): boolean {
  return line.startsWith('{') && texts.every((text) => line.includes(text))
}

/** Goes on to the next phase when that begins with a moment that has come. */
function passed(isNow: (moment: Moment) => boolean): void {
  if (phase === 'before' && isNow(from)) {
    phase = 'within'
    appear('from', '')
    take()
  } else if (phase === 'within' && isNow(until)) {
    phase = 'after'
    appear('until', JSON.stringify(take().flatMap(executedIn)))
  }
}

/** A file that is whole as soon as it has its name. */
function appear(name: string, text: string): void {
  fs.writeFileSync(`${out}.${name}.new`, text)
  fs.renameSync(`${out}.${name}.new`, `${out}.${name}`)
}

function take(): readonly Profiler.ScriptCoverage[] {
  let taken: readonly Profiler.ScriptCoverage[] = []
  session.post('Profiler.takePreciseCoverage', (error, answer) => {
    if (error) throw error
    taken = answer.result
  })
  return taken
}

function executedIn({ url, functions }: Profiler.ScriptCoverage): readonly Executed[] {
  if (!url.startsWith('file:')) return []
  const file = relative(root, fileURLToPath(url)).split(sep).join('/')
  if (!/^(src|machines)\//.test(file)) return []
  const places = functions.map(({ functionName: name, ranges: [place] }) => ({
    name,
    start: place?.startOffset ?? 0,
    end: place?.endOffset ?? 0,
    count: place?.count ?? 0,
  }))
  return places
    .filter(({ start, count }) => count > 0 && start > 0)
    .map(({ name, start, end }) => ({ file, name, start, end }))
}
