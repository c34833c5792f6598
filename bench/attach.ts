import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { spawn, type IPty } from '@lydell/node-pty'
import { livePlace } from '../src/adapters/live/live-place.ts'
import { openLiveSocket } from '../src/adapters/live/live-socket.ts'
import { ownProcess } from '../src/adapters/process/liveness.ts'
import { createRun } from '../src/adapters/sessions/run-directory.ts'
import { agentId } from '../src/protocol/words/ids.ts'
import { sampleTeam } from '../test/contracts/sample-team.ts'
import { mailFold } from '../src/adapters/mailbox/files/mail-memory.ts'

/*
 * How soon `troupe attach` shows a token on a terminal after the worker had it, and a key under a flood of tokens; what
 * that costs in CPU. The worker is this process, with a real live socket; the terminal is a PTY of 200 × 60.
 * `node bench/attach.ts [--seconds 20]` prints the figures.
 */
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '20' } } })
/** For a profile: `BENCH_NODE="--cpu-prof --cpu-prof-dir=/tmp/prof"`. */
const nodeOptions = (process.env['BENCH_NODE'] ?? '').split(' ').filter((word) => word !== '')
const seconds = Number(values.seconds)
const home = mkdtempSync(join(tmpdir(), 'troupe-attach-'))

interface Watched {
  readonly terminal: IPty
  say(member: string, text: string): void
  /** Calls back with everything the terminal is sent. */
  onData(listener: (text: string) => void): void
  /** CPU that the screen's process has used, in milliseconds. */
  cpu(): number
  end(): void
}

/** A run of these members, and a screen that shows it and is ready. */
async function watch(names: readonly string[], panes = false): Promise<Watched> {
  const cwd = mkdtempSync(join(home, 'run-'))
  mkdirSync(join(cwd, '.troupe'))
  const team = sampleTeam(names)
  const root = join(cwd, '.troupe/runs')
  const run = createRun({ root, home, team, task: 'Go.', cwd, git_head: null, ulid: ulid(), created: Date.now() })
  const live = livePlace({ dir: run.dir, owner: 'team', env: { XDG_RUNTIME_DIR: home } })
  const heard = Promise.withResolvers<void>()
  const failed = (reason: string): void => heard.reject(new Error(reason))
  const socket = openLiveSocket({ path: live ?? '', member: 'team', failed, heard: () => heard.resolve() })
  const file = { incarnation: ulid(), executor: 'in-process', ...ownProcess(), pane: null, unread: 0, live }
  for (const name of names) {
    run.openJournal(name, Date.now, mailFold).journal.append([{ type: 'member.woke' }])
    run.writeMember({ ...file, id: agentId(name, team.name), state: 'busy' })
  }
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => name !== 'CI'))
  const bin = resolve(import.meta.dirname, '../src/ui/cli/bin.ts')
  const options = { cols: 200, rows: 60, cwd, env: { ...env, HOME: home, TERM: 'xterm-256color' } }
  const terminal = spawn(process.execPath, [...nodeOptions, bin, 'attach'], options)
  await heard.promise
  if (panes) terminal.write('\u0006')
  return {
    terminal,
    say: (member, text) => socket.say({ type: 'text.delta', member, text }),
    onData: (listener) => void terminal.onData(listener),
    cpu: () => cpuOf(terminal.pid),
    end() {
      terminal.kill('SIGTERM')
      socket.close()
    },
  }
}

let minted = 0
function ulid(): string {
  minted += 1
  return `01J${String(minted).padStart(23, '0')}`
}

/** User and system time; a tick is 10 ms wherever this runs. */
function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Says tokens that can be told apart, and notes when each is first seen on the terminal. */
function tokensOf(watched: Watched, member: string) {
  const said: number[] = []
  const delays: number[] = []
  let seen = 0
  let text = ''
  watched.onData((more) => {
    const now = performance.now()
    text = (text + more).slice(-20_000)
    const [, latest = '-1'] = [...text.matchAll(/t(\d{6})/g)].at(-1) ?? []
    // What of a line stood there already is not sent again: a token has come when a later one has.
    for (; seen <= Number(latest); seen += 1) delays.push(now - (said[seen] ?? now))
  })
  return {
    delays,
    say(): void {
      watched.say(member, `t${String(said.length).padStart(6, '0')} `)
      said.push(performance.now())
    },
    /** @throws where more than those of the last second are missing */
    check(perSecond: number): void {
      if (delays.length < said.length - perSecond)
        throw new Error(`only ${delays.length} of ${said.length} tokens were shown`)
    },
  }
}

/** Tokens for all panes at once, and a key five times a second. */
async function flood(panes: number, perSecond: number) {
  const names = ['lead', ...Array.from({ length: panes - 1 }, (_, n) => `member-${n + 1}`)]
  const watched = await watch(names, true)
  const tokens = tokensOf(watched, 'member-1')
  const keys: number[] = []
  let wanted: { readonly key: string; readonly at: number } | null = null
  watched.onData((text) => {
    if (wanted === null || !text.includes(`${wanted.key}▏`)) return
    keys.push(performance.now() - wanted.at)
    wanted = null
  })
  let spoken = 0
  const speaking = every(1_000 / perSecond, seconds, () => {
    spoken += 1
    tokens.say()
    for (const name of names) {
      if (name !== 'member-1') watched.say(name, spoken % 15 === 0 ? `word ${spoken}\n` : `word ${spoken} `)
    }
  })
  const [began, before] = [performance.now(), watched.cpu()]
  let pressed = 0
  const pressing = every(200, seconds, () => {
    if (wanted !== null) return
    const key = String.fromCodePoint(97 + (pressed % 26))
    wanted = { key, at: performance.now() }
    pressed += 1
    watched.terminal.write(key)
  })
  await Promise.all([speaking, pressing])
  const cores = (watched.cpu() - before) / (performance.now() - began)
  tokens.check(perSecond)
  watched.end()
  return { keys, cores, tokens: tokens.delays }
}

/** A key that selects another row of a list of so many members, every tenth of whom speaks. */
async function crowded(members: number): Promise<readonly number[]> {
  const names = Array.from({ length: members }, (_, n) => `member-${n + 1}`)
  const watched = await watch(names)
  const keys: number[] = []
  let wanted: { readonly sign: string; readonly at: number } | null = null
  let number = 1
  watched.onData((text) => {
    if (wanted === null || !text.includes(wanted.sign)) return
    keys.push(performance.now() - wanted.at)
    wanted = null
  })
  const speaking = every(1_000, seconds, () => {
    for (const name of names.filter((_, n) => n % 10 === 0)) watched.say(name, 'word ')
  })
  const pressing = every(100, seconds, () => {
    if (wanted !== null) return
    number = (number % members) + 1
    // The title of the pane below the list tells who is selected.
    wanted = { sign: `member-${number} ·`, at: performance.now() }
    watched.terminal.write(number === 1 ? 'g' : 'j')
  })
  await Promise.all([speaking, pressing])
  watched.end()
  return keys
}

/** Does something at even intervals, however late a timer is. */
function every(ms: number, forSeconds: number, act: () => void): Promise<void> {
  const began = performance.now()
  let done = 0
  return new Promise((finish) => {
    const timer = setInterval(
      () => {
        for (const due = Math.floor((performance.now() - began) / ms); done < due; done += 1) act()
        if (performance.now() - began < forSeconds * 1_000) return
        clearInterval(timer)
        finish()
      },
      Math.min(ms, 5),
    )
  })
}

function spread(all: readonly number[]): string {
  const sorted = all.toSorted((a, b) => a - b)
  const at = (share: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN).toFixed(1)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms of ${sorted.length}`
}

try {
  for (const [panes, perSecond] of [
    [3, 50],
    [8, 200],
    [16, 100],
  ] as const) {
    const { keys, cores, tokens } = await flood(panes, perSecond)
    const load = `${panes} panes × ${perSecond} tokens/s`
    console.log(`token to terminal, ${load}: ${spread(tokens)} (goal: p99 < 50 ms)`)
    console.log(`key to terminal, ${load}: ${spread(keys)} (goal: p99 < 50 ms)`)
    console.log(`CPU of the screen, ${load}: ${cores.toFixed(2)} cores (goal: < 0.5)`)
  }
  console.log(`key to terminal, list of 1,000 members: ${spread(await crowded(1_000))} (goal: p99 < 50 ms)`)
  console.log(
    `load of the machine: ${loadavg()
      .map((each) => each.toFixed(1))
      .join(' ')}`,
  )
} finally {
  rmSync(home, { recursive: true, force: true })
}
