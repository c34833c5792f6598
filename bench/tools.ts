import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, env, execPath, memoryUsage } from 'node:process'
import { localFiles } from '../src/adapters/fs/local-files.ts'
import { textStore } from '../src/adapters/sessions/text-store.ts'
import { bash } from '../src/adapters/tools/shell/bash.ts'
import { grep } from '../src/adapters/tools/search/grep.ts'
import { read } from '../src/adapters/tools/files/read.ts'
import { runCall } from '../src/adapters/tools/define/run-call.ts'
import { findRipgrep } from '../src/adapters/tools/search/open-search.ts'
import type { Tool, ToolContext } from '../src/protocol/tools/tool.ts'

/*
 * What the tools cost: Grep beside ripgrep on its own, Read of a large file, many Reads at once, a flood of output.
 * `node bench/tools.ts [files]` prints medians; rounds are interleaved, so that both sides see the same machine.
 */

const files = Number(argv[2] ?? 100_000)
const rounds = 7

if (argv[2] === 'flood') await flood(Number(argv[3] ?? 1_024))
else await everything()

async function everything(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'troupe-bench-tools-'))
  try {
    const context = contextIn(dir)
    await compareGrep(dir, context)
    await readLarge(dir, context)
    await readMany(dir, context)
    await floodInOwnProcess()
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

function contextIn(cwd: string): ToolContext {
  const { signal } = new AbortController()
  const given = { PATH: env['PATH'] ?? '', HOME: cwd }
  return {
    cwd,
    home: cwd,
    callId: 'c',
    signal,
    progress: () => undefined,
    env: given,
    memory: new Map(),
    files: localFiles,
  }
}

async function compareGrep(dir: string, context: ToolContext): Promise<void> {
  const root = join(dir, 'tree')
  const line = 'const answer = compute(input) // nothing to see here\n'
  for (let folder = 0; folder * 100 < files; folder += 1) {
    const place = join(root, `d${folder % 50}`, `e${folder}`)
    mkdirSync(place, { recursive: true })
    for (let i = 0; i < 100; i += 1) {
      const found = (folder * 100 + i) % 500 === 0 ? 'const needle = 1\n' : ''
      writeFileSync(join(place, `f${i}.ts`), line.repeat(20) + found)
    }
  }
  const binary = await findRipgrep(env['PATH'])
  if (binary === null) {
    console.log('ripgrep is absent: Grep is not compared')
    return
  }
  for (const [name, mode, args] of [
    ['files', 'files_with_matches', ['--files-with-matches']],
    ['lines', 'content', ['--line-number', '--with-filename']],
  ] as const) {
    const own: number[] = []
    const plain: number[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const alone = await timed(() =>
        program(binary, ['--no-config', '--hidden', ...args, '--regexp', 'needle', '--', root]),
      )
      const tool = await timed(() =>
        succeed(grep, { pattern: 'needle', path: root, output_mode: mode, head_limit: 1_000 }, context),
      )
      if (round === 0) continue
      plain.push(alone)
      own.push(tool)
    }
    const ratio = median(own) / median(plain)
    console.log(
      `Grep ${name}, ${files} files: ${ms(median(own))}, ripgrep ${ms(median(plain))}, ratio ${ratio.toFixed(2)}`,
    )
  }
}

async function readLarge(dir: string, context: ToolContext): Promise<void> {
  const path = join(dir, 'large.txt')
  writeFileSync(
    path,
    `${'a line of a usual length, more or less, as they stand in files of code'.padEnd(79, '.')}\n`.repeat(131_072),
  )
  const times: number[] = []
  for (let round = 0; round < 20; round += 1) times.push(await timed(() => succeed(read, { file_path: path }, context)))
  console.log(`Read of 10 MB: median ${ms(median(times))}, first ${ms(times[0] ?? 0)}`)
}

async function readMany(dir: string, context: ToolContext): Promise<void> {
  const before = memoryUsage.rss()
  const path = join(dir, 'large.txt')
  const time = await timed(() =>
    Promise.all(Array.from({ length: 100 }, () => succeed(read, { file_path: path }, context))),
  )
  const grown = (memoryUsage.rss() - before) / 2 ** 20
  console.log(`100 Reads of 10 MB at once: ${ms(time)}, ${grown.toFixed(0)} MiB more`)
}

async function floodInOwnProcess(): Promise<void> {
  await program(execPath, [import.meta.filename, 'flood'], 'inherit')
}

/** A flood of output: what it costs in memory shows in a process that does nothing else. */
async function flood(mebibytes: number): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'troupe-bench-flood-'))
  try {
    const context = { ...contextIn(dir), store: textStore(join(dir, 'artifacts')) }
    await succeed(bash, { command: 'seq 1 20000' }, context)
    const before = peak()
    const command = `yes "0123456789 abcdefghij" | head -c ${mebibytes * 2 ** 20}`
    const time = await timed(() => succeed(bash, { command, timeout: 600_000 }, context))
    const more = ((peak() - before) / 1_024).toFixed(0)
    console.log(`Bash with ${mebibytes} MiB of output: ${ms(time)}, ${more} MiB more at the peak`)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

function peak(): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0)
}

async function succeed<Input>(tool: Tool<Input>, input: Input, context: ToolContext): Promise<void> {
  const output = await runCall(tool, input, context)
  if (output.isError) throw new Error(JSON.stringify(output.content).slice(0, 500))
}

function program(file: string, args: readonly string[], stdout: 'ignore' | 'inherit' = 'ignore'): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: ['ignore', stdout, 'inherit'] })
    child.on('error', reject)
    child.on('close', () => resolve())
  })
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await act()
  return performance.now() - from
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`
}
