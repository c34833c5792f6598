import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Entry } from '../../../../src/protocol/facts/entry.ts'
import { bareEnv } from '../../../support/bare-env.ts'

export const bin = resolve('src/ui/cli/bin.ts')

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** An empty directory of its own for one test. */
export function emptyDirectory(): string {
  const dir = mkdtempSync(join(tmpdir(), 'troupe-cli-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** A directory with these files, in it a home without anything. */
export function directoryWith(files: Readonly<Record<string, string>>): string {
  const dir = emptyDirectory()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), text)
  }
  return dir
}

/** A git repository with two commits of three files. */
export function repository(): string {
  const dir = directoryWith({
    'README.md': '# Sample\n',
    'src/a b.ts': 'export const a = 1\n',
    'test/a.test.ts': '// TODO\n',
  })
  const git = (...args: readonly string[]) =>
    spawnSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@x', ...args], { cwd: dir })
  git('init', '-q')
  for (const file of ['README.md', '.']) {
    git('add', file)
    git('commit', '-q', '-m', `add ${file}`)
  }
  return dir
}

/** A team whose only worker runs one Bash command. */
export function teamRunning(command: string): Readonly<Record<string, string>> {
  return {
    'teams/one.yaml': [
      'name: one',
      'model: scripted/one.script.yaml',
      'coordinator: { prompt: You lead. }',
      'workers:',
      '  hand: { description: Runs a command., prompt: You run it., tools: [Bash] }',
      '',
    ].join('\n'),
    'teams/one.script.yaml': JSON.stringify({
      agents: {
        lead: {
          steps: [
            {
              say: 'I ask.',
              calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'hand', task: 'Run it.' }] } }],
            },
            { say: 'The hand says: {{mail.hand}}' },
          ],
        },
        hand: {
          steps: [
            { say: 'I run it.', calls: [{ tool: 'Bash', as: 'ran', input: { command } }] },
            { say: 'It printed {{ran.text}}' },
          ],
        },
      },
    }),
  }
}

export interface Started {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** Settles as soon as stderr holds the text. */
  said(text: string): Promise<void>
}

/** Starts the command line as a process of its own. */
export function start(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  program: string = bin,
): Started {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { ...bareEnv, HOME: cwd, ...env },
    stdio: 'pipe',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const seen = { stdout: '', stderr: '' }
  const waiting = new Set<() => void>()
  child.stdout.on('data', (chunk: Buffer) => (seen.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => {
    seen.stderr += chunk.toString()
    for (const look of waiting) look()
  })
  const ended = new Promise<Ended>((settle) => child.on('close', (code) => settle({ code, ...seen })))
  const said = (text: string): Promise<void> =>
    new Promise((settle, fail) => {
      const look = (): void => {
        if (!seen.stderr.includes(text)) return
        waiting.delete(look)
        settle()
      }
      waiting.add(look)
      void ended.then((end) => fail(new Error(`ended without saying ${text}: ${JSON.stringify(end)}`)))
      look()
    })
  return { child, ended, said }
}

/** Runs a command line to its end; `input` is its stdin, which is closed. */
export function troupe(
  cwd: string,
  args: readonly string[],
  more: { input?: string; env?: Readonly<Record<string, string>> } = {},
): Promise<Ended> {
  const { child, ended } = start(cwd, args, more.env)
  child.stdin?.end(more.input ?? '')
  return ended
}

/** The directory of the only run. */
export function onlyRun(cwd: string): string {
  const [run] = readdirSync(join(cwd, '.troupe', 'runs')).filter((name) => !name.startsWith('.'))
  return join(cwd, '.troupe', 'runs', run ?? 'none')
}

export function journalOf(run: string, owner: string): readonly Entry[] {
  const text = readFileSync(join(run, 'journal', `${owner}.jsonl`), 'utf8').trimEnd()
  return text.split('\n').map((line) => JSON.parse(line) as Entry)
}
