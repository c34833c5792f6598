import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { countVariable, type Count, type Executed, type Span } from './counting.ts'
import { until } from './until.ts'

/** A process of Troupe in which is counted. */
export interface TroupeProcess {
  readonly pid: number
  /** All that it wrote so far. */
  said(): string
  /** The first span has begun. */
  began(): Promise<void>
  /** Nothing is done any more but waiting. */
  rests(): Promise<void>
  /** The last span has ended: what was called in all of them. */
  executed(): Promise<readonly Executed[]>
  kill(): void
}

export interface CommandLine {
  /** The directory whose `src/ui/cli/bin.ts` is started. */
  readonly root: string
  readonly args: readonly string[]
  readonly spans: readonly Span[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** The beginning of the names of the files in which is counted. */
  readonly out: string
}

/** A command line without a terminal. */
export function startTroupe(line: CommandLine): TroupeProcess {
  const { words, options } = prepared(line)
  const child = spawn(process.execPath, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (more: Buffer) => (said += more.toString()))
  return counted(line, {
    pid: child.pid ?? 0,
    said: () => said,
    isGone: () => child.exitCode !== null || child.signalCode !== null,
    kill: () => void child.kill('SIGKILL'),
  })
}

/** The same on a terminal. */
export async function startOnTerminal(line: CommandLine): Promise<TroupeProcess> {
  const pty = await import('@lydell/node-pty')
  const { words, options } = prepared(line)
  const child = pty.spawn(process.execPath, words, { ...options, cols: 120, rows: 30 })
  let said = ''
  let gone = false
  child.onData((more) => (said += more))
  child.onExit(() => (gone = true))
  return counted(line, {
    pid: child.pid,
    said: () => said,
    isGone: () => gone,
    kill: () => child.kill('SIGKILL'),
  })
}

function prepared({ root, args, spans, cwd, env, out }: CommandLine) {
  const count: Count = { root, spans, out }
  return {
    words: ['--import', import.meta.resolve('./counter.ts'), join(root, 'src/ui/cli/bin.ts'), ...args],
    options: { cwd, env: { ...env, [countVariable]: JSON.stringify(count) } },
  }
}

interface Spawned extends Pick<TroupeProcess, 'pid' | 'said' | 'kill'> {
  readonly isGone: () => boolean
}

function counted({ args, out }: CommandLine, { isGone, ...spawned }: Spawned): TroupeProcess {
  const appears = (file: string): Promise<true> => {
    const complaint = (): string => `no ${file} of ${args.join(' ')}: ${spawned.said()}`
    const look = (): true | null => {
      const over = isGone()
      if (existsSync(file)) return true
      if (over) throw new Error(complaint())
      return null
    }
    return until(look, complaint)
  }
  return {
    ...spawned,
    async began() {
      await appears(`${out}.from`)
    },
    rests: () => resting(spawned.pid),
    async executed() {
      await appears(`${out}.until`)
      return JSON.parse(readFileSync(`${out}.until`, 'utf8')) as readonly Executed[]
    },
  }
}

const restMs = 300

/** A process that neither runs nor could run, and has used no processor for a while; what starting put off is done then. */
async function resting(pid: number): Promise<void> {
  let used = ''
  let since = performance.now()
  const look = (): true | null => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const now = `${fields[11]} ${fields[12]}`
    if (fields[0] !== 'S' || now !== used) since = performance.now()
    used = now
    return performance.now() - since > restMs ? true : null
  }
  await until(look, () => `process ${pid} does not come to rest`)
}
