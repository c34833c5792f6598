import { spawnSync, type SpawnSyncOptions } from 'node:child_process'
import { createInterface } from 'node:readline/promises'
import { installPlan, isCi, programs, type Program } from './system-packages.ts'

/*
 * Before the tests: looks for what they need beyond npm (with the word `long`, for the tests that take minutes, too). With `CI` set it is installed (apt-get, as root or through
 * sudo), at a terminal the person is asked, else the command is named. Tests that lack a program are skipped and say so.
 */
function answers(name: string, args: readonly string[]): boolean {
  return spawnSync(name, args, { stdio: 'ignore' }).status === 0
}

const isLong = process.argv.includes('long')

const absent = (): readonly Program[] =>
  programs
    .filter(({ long = false }) => isLong || !long)
    .filter(({ platform = process.platform }) => platform === process.platform)
    .filter(({ name, probe }) => !answers(name, probe))

/** The lists of packages may be old or missing: they are fetched when the first try fails. */
function install([file = '', ...args]: readonly string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const options: SpawnSyncOptions = { stdio: ['inherit', 'ignore', 'inherit'], env }
  const run = (words: readonly string[]): boolean => spawnSync(file, words, options).status === 0
  const update = [...args.slice(0, args.indexOf('install')), 'update']
  if (!run(args) && run(update)) run(args)
}

async function agrees(command: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`The tests need more: run "${command}" now? [y/N] `)
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}

const missing = absent()
const { act, command } = installPlan(missing, {
  isCi: isCi(process.env),
  hasTerminal: process.stdin.isTTY && process.stderr.isTTY,
  hasApt: missing.length > 0 && answers('apt-get', ['--version']),
  isRoot: process.getuid?.() === 0,
  hasSudo: missing.length > 0 && answers('sudo', ['--version']),
})
const line = command?.join(' ') ?? null
if (command !== null && line !== null && (act === 'install' || (act === 'ask' && (await agrees(line))))) {
  console.log(line)
  install(command)
}
const how = line === null ? "Install it with your system's package tool" : `Run "${line}"`
for (const { name, usedBy } of missing.length > 0 ? absent() : [])
  console.warn(`MISSING ${name}: ${usedBy} are skipped. ${how} and test again.`)
