import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { stringify } from 'yaml'
import type { Recorded } from '../../../src/protocol/facts/entry.ts'
import type { RunResult } from '../../../src/protocol/team/run.ts'
import { bareEnv } from '../../support/bare-env.ts'
import { scriptServer, type Script } from '../script-server.ts'

const troupe = resolve('src/ui/cli/bin.ts')

/** Every test starts several processes, on machines that may be busy with others. */
export const patience = 240_000

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** One request of a member, as the model server got it: the texts of its messages. */
export interface Asked {
  readonly agent: string
  readonly texts: readonly string[]
}

export interface StageOptions {
  /** Where the team works; a fresh directory by default. */
  readonly dir?: string
  /** Further environment of all its processes. */
  readonly env?: Readonly<Record<string, string>>
  /** Further keys of the team file. */
  readonly team?: object
}

/** A team on disk, a model server beside it, and the command line to use both. */
export interface Theatre {
  readonly dir: string
  /** The home of the user who runs it. */
  readonly home: string
  /** `troupe <args>`, begun. */
  start(args: readonly string[]): ChildProcess
  /** `troupe <args>` to its end. */
  cli(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>
  /** `troupe run` on the team, followed fact by fact. */
  run(env?: Readonly<Record<string, string>>): Performance
  /** Every request so far. */
  asked(agent: string): readonly Asked[]
  /** Lets go whoever waits for this cue. */
  cue(name: string): void
}

/** A shell command that waits for a cue, however long that takes; where its leader was killed, until its folder is gone. */
export const waitFor = (cue: string): string => `until [ -e cue-${cue} ] || [ ! -e "$PWD" ]; do sleep 0.02; done`
export const bash = (command: string) => ({ tool: 'Bash', args: { command } })
export const message = (to: string, text: string) => ({ tool: 'SendMessage', args: { to, text } })
export const delegate = (...subtasks: readonly { worker: string; task: string }[]) => ({
  tool: 'Delegate',
  args: { subtasks },
})

/** A team named `demo` of a lead that may use the shell and of these workers, all played by the model server. */
export async function theatre(script: Script, options: StageOptions = {}): Promise<Theatre> {
  const dir = options.dir ?? tempDir()
  const home = tempDir()
  const workers = Object.keys(script).filter((name) => name !== 'lead')
  const card = (name: string) => ({ description: 'Helps.', prompt: `AGENT=${name}`, tools: ['Bash'] })
  const team = {
    name: 'demo',
    partition: 'relaxed',
    permissions: { allow: ['Bash'] },
    coordinator: { prompt: 'AGENT=lead', tools: ['Bash'], gather: { on_failure: { retry: 0 } } },
    workers: Object.fromEntries(workers.map((name) => [name, card(name)])),
    ...options.team,
  }
  mkdirSync(join(home, 'teams'))
  writeFileSync(join(home, 'teams', 'demo.yaml'), stringify(team))
  const server = await scriptServer(script)
  onTestFinished(() => server.close())
  const base = { ...bareEnv, HOME: home, OPENAI_COMPATIBLE_BASE_URL: `${server.root}/v1`, ...options.env }
  const start = (args: readonly string[], env: object = {}): ChildProcess =>
    ending(spawn(process.execPath, [troupe, ...args], { cwd: dir, env: { ...base, ...env } }))
  return {
    dir,
    home,
    start,
    cli: (args, env) => outcome(start(args, env)),
    run: (env) => {
      const play = ['run', join(home, 'teams', 'demo.yaml'), 'Begin.', '--trust', '--stream-json']
      return follow(start([...play, '--model', 'openai-compatible/scripted'], env), dir)
    },
    asked: (agent) =>
      server.told
        .filter((request) => request.agent === agent)
        .map(({ body }) => ({ agent, texts: (body['messages'] as Spoken[]).map(({ content }) => textOf(content)) })),
    cue: (name) => writeFileSync(join(dir, `cue-${name}`), ''),
  }
}

interface Spoken {
  readonly content: unknown
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((block: { readonly text?: string }) => block.text ?? '').join('\n')
}

/** What a test started does not outlive it. */
function ending<Child extends ChildProcess>(child: Child): Child {
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

export function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'troupe-scenario-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }))
  return dir
}

async function outcome(child: ChildProcess): Promise<Ended> {
  const [out, err]: [Buffer[], Buffer[]] = [[], []]
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() }
}

/** A run in a process of its own. */
export interface Performance {
  readonly process: ChildProcess
  /** Everything it has said so far. */
  readonly facts: readonly Recorded[]
  /** Resolves to the first fact, past or to come, that fits. Rejects when the run ends without one. */
  fact(fits: (recorded: Recorded) => boolean): Promise<Recorded>
  /** The run directory, once there is one. */
  dir(): string
  /** The result, when the process has ended. */
  readonly result: Promise<RunResult & { readonly code: number | null; readonly err: string }>
}

type Said = ({ readonly type: 'fact' } & Recorded) | ({ readonly type: 'result' } & RunResult)

function follow(child: ChildProcess, cwd: string): Performance {
  const facts: Recorded[] = []
  const waiting = new Set<{ fits: (recorded: Recorded) => boolean; resolve: (recorded: Recorded) => void }>()
  let result: RunResult | undefined
  const hear = (said: Said): void => {
    if (said.type === 'result') result = said
    else {
      facts.push(said)
      for (const one of waiting) if (one.fits(said)) one.resolve(said)
    }
  }
  createInterface(child.stdout ?? process.stdin).on('line', (line) => hear(JSON.parse(line) as Said))
  const err: Buffer[] = []
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk))
  const ended = once(child, 'close').then(([code]) => {
    const said = Buffer.concat(err).toString()
    if (!result) throw new Error(`the run ended with ${String(code)} and no result: ${said}`)
    return { ...result, code: code as number | null, err: said }
  })
  ended.catch(() => undefined)
  return {
    process: child,
    facts,
    async fact(fits) {
      const past = facts.find(fits)
      if (past) return past
      const { promise, resolve: settle } = Promise.withResolvers<Recorded>()
      waiting.add({ fits, resolve: settle })
      const over = ended.then(({ status, reason, err }) => {
        throw new Error(`the run ended (${status}, ${reason}) before it happened: ${err}`)
      })
      return Promise.race([promise, over])
    },
    dir() {
      const runs = join(cwd, '.troupe', 'runs')
      return join(runs, readdirSync(runs)[0] ?? '')
    },
    result: ended,
  }
}

/** Is it this fact of this owner? */
export const is =
  (owner: string, type: Recorded['entry']['type'], more: (entry: Recorded['entry']) => boolean = () => true) =>
  (recorded: Recorded): boolean =>
    recorded.owner === owner && recorded.entry.type === type && more(recorded.entry)

/** The bodies of the mail that a member took in, in the order of its journal on disk. */
export function receivedBy(dir: string, member: string): readonly string[] {
  return journalOf(dir, member).flatMap((entry) => (entry.type === 'mail.received' ? [entry.envelope.body] : []))
}

export function journalOf(dir: string, member: string): readonly Recorded['entry'][] {
  const lines = readFileSync(join(dir, 'journal', `${member}.jsonl`), 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Recorded['entry'])
}

/** The names in a folder of a member's box; a folder that was never needed has none. */
export function boxOf(dir: string, member: string, folder: string): readonly string[] {
  const path = join(dir, 'mail', member, folder)
  return existsSync(path) ? readdirSync(path) : []
}

/** Runs a few lines in a process of their own that knows nothing but the package: `openMailbox`, `dir` and `home`. */
export function outside({ dir: cwd, home }: Theatre, dir: string, code: string): Promise<Ended> {
  const script = `import { openMailbox } from ${JSON.stringify(resolve('src/index.ts'))}
    const [dir, home] = ${JSON.stringify([dir, home])}\n${code}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd })
  return outcome(ending(child))
}
