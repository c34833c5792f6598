import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Recorded } from '../../../src/protocol/facts/entry.ts'
import { recordOfRun } from '../../../src/runtime/runs/read-runs.ts'
import { served } from '../../gateways/http/served.ts'
import { asked, returned, spoken, stagedRun, type StagedRun } from '../../ui/tui/support/staged-run.ts'
import { browserOfFile, hasChromium } from './browser.ts'

const { folder, open } = browserOfFile()

/** A turn of a member: a call and its result. */
function turn({ tell }: StagedRun, member: string, number: number): void {
  const id = `c${number}`
  tell(
    member,
    { type: 'model.requested', turn: number, model: 'scripted/x' },
    spoken(`Step ${number} of ${member}.`, [id, 'Bash', { command: `echo ${number}` }]),
    { type: 'call.started', call_id: id, tool: 'Bash' },
    { type: 'call.finished', call_id: id, tool: 'Bash', is_error: false, duration_ms: 3 },
    returned(id, 'Bash', `${number}`),
  )
}

async function shown(staged: StagedRun, view = 'overview') {
  const { cwd, run } = staged.cast
  const server = await served(cwd, join(cwd, 'home'), {}, { dashboard: folder })
  const watched = await open(`${server.dashboard}/${run}/${view}`)
  await watched.page.getByRole('slider').waitFor()
  return watched
}

test.skipIf(!hasChromium)('a run of 10,000 facts can be seen at every one of them, in every view', async () => {
  const names = ['lead', 'ana', 'bo']
  const staged = stagedRun(names)
  for (let number = 1; number <= 700; number += 1) for (const name of names) turn(staged, name, number)
  const total = recordOfRun(staged.dir).recorded.length
  expect(total).toBeGreaterThan(10_000)
  const { page, faults } = await shown(staged, 'transcript/ana')
  await page.getByText(`${total} / ${total}`).waitFor()
  await page.getByText('Step 700 of ana.').waitFor()
  const slider = page.getByRole('slider')
  for (const count of [5_000, 17, 9_999, 4_000, 1]) {
    await slider.fill(String(count))
    await page.getByText(`${count} / ${total}`).waitFor()
    const words = await page.locator('.transcript .markdown').allTextContents()
    const steps = words.flatMap((text) => /Step (\d+) of ana/.exec(text)?.[1] ?? [])
    const before = recordOfRun(staged.dir).recorded.slice(0, count)
    const said = before.filter(({ owner, entry }) => owner === 'ana' && entry.type === 'model.requested').length
    expect(Math.abs(Number(steps.at(-1) ?? 0) - said)).toBeLessThan(2)
  }
  const isShown = (title: string) => page.locator('.tabs [aria-current=page]', { hasText: title }).waitFor()
  const views = ['Statechart', 'Messages', 'Timeline', 'Cost', 'Board', 'Logs']
  for (const [index, title] of views.entries()) {
    await page.keyboard.press(`${index + 4}`)
    await isShown(title)
  }
  // The search of the logs takes the keys that follow, until it is left.
  await page.locator('input:focus').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('input:focus').waitFor({ state: 'detached' })
  await page.keyboard.press('1')
  await isShown('Overview')
  await page.keyboard.press('l')
  await page.getByText(`${total} / ${total}`).waitFor()
  expect(faults).toEqual([])
})

test.skipIf(!hasChromium)(
  'a team of one and fifty fits, whoever asks stands first, and news arrive by themselves',
  async () => {
    const names = ['lead', ...Array.from({ length: 50 }, (_, index) => `worker-${index + 1}`)]
    const staged = stagedRun(names)
    for (const name of names) {
      staged.tell(name, { type: 'member.woke' }, { type: 'agent.started' }, asked(`The part of ${name}.`))
      turn(staged, name, 1)
    }
    const { page, faults } = await shown(staged)
    await expect.poll(() => page.locator('.card').count()).toBe(51)
    await staged.listened()
    const decision = { behavior: 'ask', source: 'mode', reason: 'no rule' } as const
    staged.tell('worker-37', spoken('', ['q', 'Bash', { command: 'make it' }]), {
      type: 'permission.requested',
      call_id: 'q',
      tool: 'Bash',
      request: 'worker-37-9-1',
      decision,
      deadline: null,
    })
    await page.getByText('1 question waits').waitFor()
    expect(await page.locator('.card .top b').first().textContent()).toBe('worker-37')
    for (const text of ['It ', 'is being ', 'written.']) staged.say({ type: 'text.delta', member: 'worker-5', text })
    await page.locator('.card', { hasText: 'It is being written.' }).waitFor()
    expect(faults).toEqual([])
  },
)

test.skipIf(!hasChromium)('Markdown has one box for each task, and columns as they are aligned', async () => {
  const staged = stagedRun(['lead', 'ana'])
  staged.tell(
    'ana',
    spoken('- [x] tests\n- [ ] docs\n\n| part | lines |\n| --- | ---: |\n| page | 12 |\n\n- [x] loose\n\n- [ ] list'),
  )
  const { page } = await shown(staged, 'transcript/ana')
  await page.getByText('loose').waitFor()
  expect(await page.locator('.transcript li').allTextContents()).toEqual(['☑ tests', '☐ docs', '☑ loose', '☐ list'])
  const sides = `[...document.querySelectorAll('.transcript :is(th, td)')].map((cell) => getComputedStyle(cell).textAlign)`
  expect(await page.evaluate(sides)).toEqual(['left', 'right', 'left', 'right'])
})

test.skipIf(!hasChromium)('a server that does not answer is told of, and asked again', async () => {
  const staged = stagedRun(['lead', 'ana'])
  turn(staged, 'lead', 1)
  const { page } = await shown(staged)
  await page.route('**/api/charts', (route) => route.abort())
  await page.keyboard.press('4')
  await page.getByText('The server does not answer').waitFor()
  expect(await page.getByRole('group', { name: 'Chart' }).count()).toBe(0)
  await page.unroute('**/api/charts')
  await page.keyboard.press('1')
  await page.keyboard.press('4')
  await page.getByRole('group', { name: 'Chart' }).waitFor()
})

test.skipIf(!hasChromium)(
  'a recorded run plays on the page, pauses, takes steps, and ends where it is to',
  async () => {
    const staged = stagedRun(['lead', 'ana'])
    for (let number = 1; number <= 5; number += 1) turn(staged, 'ana', number)
    // Three minutes between two facts, so that the page is never further than it was told to be.
    for (const owner of ['team', 'lead', 'ana']) {
      const file = join(staged.dir, 'journal', `${owner}.jsonl`)
      const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
      const timed = lines.map((line) => JSON.parse(line) as Recorded['entry'])
      writeFileSync(file, timed.map((entry) => `${JSON.stringify({ ...entry, at: entry.seq * 180_000 })}\n`).join(''))
    }
    const total = recordOfRun(staged.dir).recorded.length
    const { page, faults } = await shown(staged, `transcript/ana?at=0&play=1&until=${total - 5}`)
    const at = async (count: number) => page.getByText(`${count} / ${total}`, { exact: true }).waitFor()
    const first = recordOfRun(staged.dir).recorded.findIndex(({ entry }) => entry.at > 180_000)
    await at(first)
    await page.keyboard.press('p')
    await page.getByRole('button', { name: 'Play' }).waitFor()
    await page.keyboard.press('.')
    await at(first + 1)
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('1000')
    await page.getByRole('button', { name: 'Play' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await at(total - 5)
    await page.getByRole('button', { name: 'Play' }).waitFor()
    expect(new URL(page.url()).hash).toContain(`until=${total - 5}`)
    expect(faults).toEqual([])
  },
)
