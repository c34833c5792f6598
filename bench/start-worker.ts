import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { detachedPlace } from '../src/adapters/executors/detached.ts'
import type { WorkerPlace } from '../src/adapters/executors/place.ts'
import { tmuxPanes } from '../src/adapters/executors/tmux-panes.ts'
import { watchFolder } from '../src/adapters/fs/watch-folder.ts'
import { endProcess } from '../src/adapters/process/end-process.ts'
import { policyHash } from '../src/runtime/settings/policy-hash.ts'
import { writeOrders } from '../src/adapters/sessions/orders.ts'
import { readMember } from '../src/adapters/sessions/read-run.ts'
import { createRun, type RunDirectory } from '../src/adapters/sessions/run-directory.ts'
import type { Orders } from '../src/protocol/work/orders.ts'
import type { Policy } from '../src/protocol/permissions/permission.ts'
import { systemClock } from '../src/runtime/actors/clock.ts'
import { loadTeam } from '../src/runtime/team-files/load-team.ts'

/*
 * How long a worker in a process of its own takes from its launch to its hello, beside `node -e 0`, each in turn.
 * `node bench/start-worker.ts [rounds] [bin] [process|tmux]` prints one JSON line; `bin` is dist/src/ui/cli/bin.js.
 */
const rounds = Number(process.argv[2] ?? 9)
const bin = resolve(process.argv[3] ?? 'dist/src/ui/cli/bin.js')
const kind = process.argv[4] ?? 'process'
const cwd = mkdtempSync(join(tmpdir(), 'troupe-start-'))
const clock = systemClock()
const run = await runIn(cwd)
const place: WorkerPlace =
  kind === 'tmux'
    ? tmuxPanes({ env: process.env, run: run.dir, server: `troupe-start-${process.pid}` })
    : detachedPlace()
const policy: Policy = {
  mode: 'default',
  rules: {},
  bounds: { protected: [], scope: [], blockedHosts: [] },
  directories: [],
}
const times = { node: [] as number[], hello: [] as number[] }

for (let round = 0; round <= rounds; round++) {
  const began = performance.now()
  spawnSync(process.execPath, ['-e', '0'])
  const node = performance.now() - began
  const hello = await start(ordersFor('ana', clock.mint()))
  // The first finds no compiled code and cold files.
  if (round === 0) continue
  times.node.push(node)
  times.hello.push(hello)
}
await place.close?.()
rmSync(cwd, { recursive: true, force: true })
const [node, hello] = [median(times.node), median(times.hello)]
console.log(JSON.stringify({ kind, rounds, node, hello, goal: Math.round(node * 1.5 + 150) }))

/** One life from its launch to its hello, in milliseconds; then it is ended. */
async function start(orders: Orders): Promise<number> {
  const { member, incarnation } = orders
  writeOrders(run.dir, orders)
  const said = Promise.withResolvers<number>()
  const look = (): void => {
    if (readMember(run.dir, member)?.incarnation === incarnation) said.resolve(performance.now())
  }
  const stop = watchFolder(join(run.dir, 'members'), look)
  const began = performance.now()
  const launched = await place.launch({
    member,
    view: ['true'],
    argv: [process.execPath, '--max-semi-space-size=2', bin, 'worker', run.dir, member, '--incarnation', incarnation],
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, TROUPE_LIFE: incarnation, ...compileCache() },
    cwd,
    log: join(run.dir, 'log', `${member}.log`),
    title: member,
    colour: 1,
  })
  void launched.exited.then(async () => said.reject(new Error(await launched.lastLines?.())))
  try {
    return (await said.promise) - began
  } finally {
    stop()
    if (launched.process) await endProcess(launched.process, 1_000)
    await launched.close?.()
  }
}

function ordersFor(member: string, incarnation: string): Orders {
  const manifest = { model: 'scripted/script.yaml', tools: ['Read', 'Bash'], policy: policyHash(policy), cwd }
  const questions = { reachable: false, wait_ms: null, classifier: null }
  const standing = { standing: 'begin', reason: null } as const
  return { member, incarnation, executor: kind, ...standing, manifest, policy, questions, trusted: 'all', home: cwd }
}

async function runIn(dir: string): Promise<RunDirectory> {
  mkdirSync(join(dir, 'teams'))
  const worker = { description: 'Waits.', prompt: 'You wait.', tools: ['Read', 'Bash'] }
  const team = {
    name: 'duo',
    model: 'scripted/script.yaml',
    coordinator: { prompt: 'You lead.' },
    workers: { ana: worker },
  }
  writeFileSync(join(dir, 'teams', 'duo.yaml'), JSON.stringify(team))
  writeFileSync(
    join(dir, 'teams', 'script.yaml'),
    JSON.stringify({ agents: { lead: { steps: [] }, ana: { steps: [] } } }),
  )
  const loaded = await loadTeam(join(dir, 'teams', 'duo.yaml'), { env: {} })
  const root = join(dir, '.troupe', 'runs')
  return createRun({
    root,
    home: dir,
    team: loaded,
    task: '',
    cwd: dir,
    git_head: null,
    ulid: clock.mint(),
    created: clock.now(),
  })
}

/** Where the engine keeps compiled code, as the person's shell says. */
function compileCache(): Record<string, string> {
  const folder = process.env['NODE_COMPILE_CACHE']
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder }
}

function median(values: readonly number[]): number {
  return Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0)
}
