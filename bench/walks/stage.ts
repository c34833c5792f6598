import { globSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Span } from './counting.ts'
import { startOnTerminal, startTroupe, type CommandLine, type TroupeProcess } from './troupe-process.ts'
import { until } from './until.ts'

/** A home of its own with one team, `walk`, and the Troupe of one directory at work in it. */
export interface Stage {
  /** Starts a command line of Troupe without a terminal. */
  start(args: readonly string[], ...spans: readonly Span[]): TroupeProcess
  startOnTerminal(args: readonly string[], ...spans: readonly Span[]): Promise<TroupeProcess>
  /** The first file below the home that fits the pattern, once it is there. */
  file(pattern: string): Promise<string>
  /** Ends every process that was started here, and removes the home. */
  close(): void
}

export interface Play {
  /** The team file, but for its name and model. */
  readonly team: object
  /** What the scripted model answers, by member. */
  readonly steps: Readonly<Record<string, readonly object[]>>
  readonly env?: Readonly<Record<string, string>>
}

/** @param dir the directory with the sources that are started */
export function openStage(dir: string, { team, steps, env = {} }: Play): Stage {
  const root = realpathSync(dir)
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-walk-')))
  // What is counted is written beside the home: runs watch that.
  const home = join(base, 'home')
  layOut(home, team, steps)
  const started: TroupeProcess[] = []
  const bare = { PATH: process.env['PATH'] ?? '', HOME: home, XDG_RUNTIME_DIR: home, TERM: 'xterm-256color', ...env }
  const lineOf = (args: readonly string[], spans: readonly Span[]): CommandLine => {
    return { root, args, spans, cwd: home, env: bare, out: join(base, `count-${started.length}`) }
  }
  const kept = (process: TroupeProcess): TroupeProcess => {
    started.push(process)
    return process
  }
  return {
    start: (args, ...spans) => kept(startTroupe(lineOf(args, spans))),
    startOnTerminal: async (args, ...spans) => kept(await startOnTerminal(lineOf(args, spans))),
    file: (pattern) =>
      until(
        () => globSync(pattern, { cwd: home })[0] ?? null,
        () => `no ${pattern}: ${started.map(({ said }) => said()).join('\n')}`,
      ),
    close() {
      for (const process of started) process.kill()
      rmSync(base, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function layOut(home: string, team: object, steps: Play['steps']): void {
  const agents = Object.fromEntries(Object.entries(steps).map(([name, each]) => [name, { steps: each }]))
  mkdirSync(join(home, 'teams'), { recursive: true })
  writeFileSync(join(home, 'teams/walk.yaml'), JSON.stringify({ name: 'walk', model: 'scripted/script.yaml', ...team }))
  writeFileSync(join(home, 'teams/script.yaml'), JSON.stringify({ agents }))
  writeFileSync(join(home, 'note.txt'), 'A note.\n')
}
