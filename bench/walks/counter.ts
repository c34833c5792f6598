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
 * 1. V8 sets its counters back whenever it is asked for them: its answer at the beginning of a span is thrown away, and
 *    that at its end holds what ran in between.
 * 2. Longer timers do not ring: how many did would say how busy the machine is. A process that is counted from its start
 *    hears them, and one that is counted from a signal hears them before; any other is ended after its walk, and can be
 *    without.
 */
const longTimerMs = 100
const { root, spans, out } = JSON.parse(process.env[countVariable] ?? '') as Count
const [first] = spans
const session = new Session()
const executed: Executed[] = []
let ended = 0
let within = false

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
  return first?.from === 'start' || (first?.from === 'signal' && ended === 0 && !within)
}

function holdsAll(line: string, texts: readonly string[]): boolean {
  return line.startsWith('{') && texts.every((text) => line.includes(text))
}

/** Begins or ends a span, where that is what a moment that has come does. */
function passed(isNow: (moment: Moment) => boolean): void {
  const span = spans[ended]
  if (span === undefined || !isNow(within ? span.until : span.from)) return
  within = !within
  if (within) {
    if (ended === 0) appear('from', '')
    take()
    return
  }
  executed.push(...take().flatMap(executedIn))
  ended += 1
  if (ended === spans.length) appear('until', JSON.stringify(executed))
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
