import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { chromium, type Page } from 'playwright-core'
import { livePlace } from '../src/adapters/live/live-place.ts'
import { openLiveSocket } from '../src/adapters/live/live-socket.ts'
import { ownProcess } from '../src/adapters/process/liveness.ts'
import { createRun } from '../src/adapters/sessions/run-directory.ts'
import { serveRuns } from '../src/gateways/http/serve-runs.ts'
import { agentId } from '../src/protocol/words/ids.ts'
import { systemClock } from '../src/runtime/actors/clock.ts'
import { recordOfRun } from '../src/runtime/runs/read-runs.ts'
import { openOwned } from '../src/runtime/journals/ledger.ts'
import { sampleTeam } from '../test/contracts/sample-team.ts'
import { everyEntry } from '../test/support/every-entry.ts'
import { buildDashboard } from '../test/tools/build-dashboard.ts'
import { spoken, returned } from '../test/ui/tui/support/staged-run.ts'
import { median } from './figures.ts'

/*
 * The page of `troupe dashboard` in Chromium: the time from a move of the slider to the drawn moment in a run of 10,000 facts, and the load
 * of its main thread while eight members write 200 tokens a second each. `node bench/dashboard.ts [seconds]` prints one JSON line.
 */
const seconds = Number(process.argv[2] ?? '10')
/** In the page: moves the slider, and resolves with the milliseconds until the moment is drawn. */
const moveTo = `async (goal) => {
  const slider = document.querySelector('input[type=range]')
  const began = performance.now()
  slider.value = String(goal)
  slider.dispatchEvent(new Event('input', { bubbles: true }))
  while (!document.querySelector('.time-bar .fact').textContent.startsWith(goal + ' / ')) await new Promise((next) => setTimeout(next, 0))
  await new Promise((next) => requestAnimationFrame(() => setTimeout(next, 0)))
  return performance.now() - began
}`

const home = mkdtempSync(join(tmpdir(), 'troupe-dashboard-bench-'))
const names = ['lead', ...Array.from({ length: 8 }, (_, index) => `worker-${index + 1}`)]
const team = sampleTeam(names)
const clock = systemClock()
const place = { root: join(home, '.troupe/runs'), home, cwd: home, git_head: null }
const run = createRun({ ...place, team, task: 'Go.', ulid: clock.mint(), created: clock.now() })
openOwned({ run, clock }, { owner: 'team', incarnation: clock.mint() }, everyEntry)
const path = livePlace({ dir: run.dir, owner: 'team', env: { XDG_RUNTIME_DIR: home } })
const socket = openLiveSocket({ path: path ?? '', member: 'team', failed: console.error, heard: () => undefined })
const file = { incarnation: clock.mint(), executor: 'in-process', ...ownProcess(), pane: null, unread: 0, live: path }
for (const name of names) {
  run.writeMember({ ...file, id: agentId(name, team.name), state: 'busy' })
  const { journal } = run.openJournal(name, clock.now, everyEntry)
  journal.append([{ type: 'member.woke' }, { type: 'agent.started' }])
  for (let turn = 1; turn <= 225; turn += 1) {
    const id = `c${turn}`
    journal.append([
      { type: 'model.requested', turn, model: 'scripted/x' },
      spoken(`Step **${turn}** of ${name}, with some words.`, [id, 'Bash', { command: `echo ${turn}` }]),
      { type: 'call.started', call_id: id, tool: 'Bash' },
      { type: 'call.finished', call_id: id, tool: 'Bash', is_error: false, duration_ms: 3 },
      returned(id, 'Bash', `${turn}\n`.repeat(20)),
    ])
  }
}
const folder = join(home, 'page')
await buildDashboard(folder)
const load = (): never => {
  throw new Error('no team is started here')
}
const surroundings = { cwd: home, home, env: {}, policyRoot: '/nowhere', version: '0', load, dashboard: folder }
const server = await serveRuns({ ...surroundings, host: '127.0.0.1', port: 0 })
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
const began = performance.now()
await page.goto(`${server.dashboard}/${run.id}`)
const total = recordOfRun(run.dir).recorded.length
await page.getByText(`${total} / ${total}`).waitFor({ timeout: 60_000 })
const openedMs = Math.round(performance.now() - began)

const slider: Record<string, object> = {}
for (const view of ['overview', 'transcript', 'timeline', 'cost', 'logs']) slider[view] = await moves(page, view)

const load8: Record<string, object> = {}
for (const view of ['overview', 'transcript', 'timeline']) load8[view] = await underTokens(page, view)
console.log(JSON.stringify({ facts: total, opened_ms: openedMs, slider_ms: slider, tokens_1600: load8 }))
await browser.close()
socket.close()
await server.close()
rmSync(home, { recursive: true, force: true })
process.exit(0)

async function shown(on: Page, view: string): Promise<void> {
  await on.evaluate(`location.hash = '#/${run.id}/${view}/worker-3'`)
  await pause(1_500)
}

/**
 * Milliseconds from moves of the slider to the frame that shows them, and those that the page's main thread worked for them: what the
 * rest of the machine does makes the first ones longer, and the second ones not.
 */
async function moves(on: Page, view: string): Promise<object> {
  await shown(on, view)
  const worked = await threadTime(on)
  const made: { readonly goal: number; readonly wall: number; readonly cpu: Readonly<Record<string, number>> }[] = []
  for (let turn = 0; turn < 40; turn += 1) {
    const goal = (turn * 7_919) % total
    const before = await worked()
    const wall = (await on.evaluate(`(${moveTo})(${goal})`)) as number
    const after = await worked()
    const cpu = Object.fromEntries(
      Object.entries(after).map(([name, ms]) => [name, Math.round(ms - (before[name] ?? 0))]),
    )
    made.push({ goal, wall, cpu })
  }
  await on.getByRole('button', { name: 'to the present' }).click()
  const longest = made.toSorted((a, b) => (b.cpu['Task'] ?? 0) - (a.cpu['Task'] ?? 0))[0]
  const figures = (values: readonly number[]) => ({
    median: Math.round(median(values)),
    max: Math.round(Math.max(...values)),
  })
  return { ...figures(made.map(({ wall }) => wall)), cpu: figures(made.map(({ cpu }) => cpu['Task'] ?? 0)), longest }
}

/** Milliseconds that the main thread of a page has worked, by kind. */
async function threadTime(on: Page): Promise<() => Promise<Readonly<Record<string, number>>>> {
  const devtools = await on.context().newCDPSession(on)
  await devtools.send('Performance.disable')
  await devtools.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' })
  await devtools.send('Performance.enable')
  return async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    const parts = metrics.filter(({ name }) => /^(Task|Script|Layout|RecalcStyle)Duration$/.test(name))
    return Object.fromEntries(parts.map(({ name, value }) => [name.replace('Duration', ''), value * 1_000]))
  }
}

/** The longest task and the busy part of the main thread while tokens come. */
async function underTokens(on: Page, view: string): Promise<object> {
  await shown(on, view)
  const devtools = await on.context().newCDPSession(on)
  await devtools.send('Performance.enable')
  const busy = async (): Promise<number> => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
  }
  await on.evaluate(`globalThis.tasks = []
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ entryTypes: ['longtask'] })`)
  const [before, since] = [await busy(), performance.now()]
  let said = 0
  while (performance.now() - since < seconds * 1_000) {
    const due = Math.floor(((performance.now() - since) / 1_000) * 200)
    for (; said < due; said += 1)
      for (const member of names.slice(1))
        socket.say({ type: 'text.delta', member, text: said % 12 === 11 ? 'word.\n\n' : 'word ' })
    await pause(5)
  }
  const part = (await busy()) - before
  const wall = (performance.now() - since) / 1_000
  const tasks = (await on.evaluate('tasks')) as readonly number[]
  return {
    busy: Number((part / wall).toFixed(2)),
    longest_task_ms: Math.round(Math.max(0, ...tasks)),
    tokens: said * 8,
  }
}
