import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pendingApprovals } from '../../../src/runtime/runs/answer-approval.ts'
import { recordOfRun } from '../../../src/runtime/runs/read-runs.ts'
import { served } from '../../gateways/http/served.ts'
import { play } from '../../runtime/support/stage.ts'
import { browserOfFile, hasChromium } from './browser.ts'

const names = ['ana', 'bo', 'cy', 'di', 'ed', 'flo']
const worker = { description: 'd', prompt: 'p', tools: ['Bash', 'Edit', 'Read'] }
const team = {
  name: 'seven',
  coordinator: { prompt: 'p' },
  workers: Object.fromEntries(names.map((name) => [name, worker])),
}
const edit = { file_path: 'notes.md', old_string: 'old words', new_string: 'new words' }
const script = {
  lead: {
    steps: [
      {
        calls: [
          { tool: 'Delegate', input: { subtasks: names.map((each) => ({ worker: each, task: `Part of ${each}.` })) } },
        ],
      },
      { say: 'All **seven** are done.' },
    ],
  },
  ...Object.fromEntries(names.map((name) => [name, { steps: [{ say: `Done by ${name}.` }] }])),
  ana: { steps: [{ calls: [{ tool: 'Bash', input: { command: 'touch wrong' } }] }, { say: 'Touched.' }] },
  bo: {
    steps: [
      { calls: [{ tool: 'Read', input: { file_path: 'notes.md' } }] },
      { calls: [{ tool: 'Edit', input: edit }] },
      { say: 'Edited.' },
    ],
  },
}

const { folder, open } = browserOfFile()

/** A run of one lead and six workers that waits for a person twice, its server, and the page. */
async function opened() {
  const played = await play(team, script, { permissionWaitMs: 600_000, files: { 'notes.md': 'old words\n' } })
  await expect.poll(() => pendingApprovals([played.run.dir]).length).toBe(2)
  const server = await served(played.cwd, join(played.cwd, 'home'), {}, { dashboard: folder })
  const watched = await open(`${server.dashboard}/${played.run.id}`)
  await watched.page.getByText('2 questions wait').waitFor()
  return { ...played, ...watched, server }
}

test.skipIf(!hasChromium)(
  'a live team is seen, its questions are answered on the page, and every moment can be seen again',
  async () => {
    const { page, faults, run, cwd, result } = await opened()
    const cards = page.locator('.card')
    expect(await cards.count()).toBe(7)
    expect(await cards.locator('.top b').allTextContents()).toEqual(expect.arrayContaining(['lead', ...names]))
    expect((await cards.locator('.top b').allTextContents()).slice(0, 2).toSorted()).toEqual(['ana', 'bo'])

    await page.getByRole('link', { name: 'Answer' }).click()
    const ana = page.getByRole('region', { name: 'ana asks about Bash' })
    await ana.getByRole('button', { name: 'Edit the call' }).click()
    await ana.getByRole('textbox', { name: 'The call as it will run' }).fill('touch right')
    await ana.getByRole('button', { name: 'Allow as edited' }).click()
    const bo = page.getByRole('region', { name: 'bo asks about Edit' })
    expect(await bo.locator('.diff .was').textContent()).toContain('- old words')
    expect(await bo.locator('.diff .is').textContent()).toContain('+ new words')
    await bo.getByRole('button', { name: 'Allow once' }).click()
    expect(await result).toMatchObject({ status: 'completed' })
    expect(readFileSync(join(cwd, 'notes.md'), 'utf8')).toBe('new words\n')
    expect(readFileSync(join(cwd, 'right'), 'utf8')).toBe('')
    await page.getByText('✓ allowed by troupe dashboard, with a changed call').waitFor()

    const total = recordOfRun(run.dir).recorded.length
    await page.getByText(`${total} / ${total}`).waitFor()
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('region', { name: 'Answer of the team' }).getByText('All seven are done.').waitFor()
    expect(await page.locator('.outcome strong').textContent()).toBe('seven')
    const slider = page.getByRole('slider')
    await slider.fill('0')
    await page.getByText(`0 / ${total}`).waitFor()
    expect(await page.locator('.outcome').count()).toBe(0)
    await slider.press('ArrowRight')
    await page.getByText(`1 / ${total}`).waitFor()
    await page.getByRole('button', { name: 'to the present' }).click()
    await page.getByRole('region', { name: 'Answer of the team' }).getByText('All seven are done.').waitFor()
    expect(faults).toEqual([])
  },
)

test.skipIf(!hasChromium)('without a code the page is an empty shell, and a code counts once', async () => {
  const { server, run } = await opened()
  const shell = await open(`${server.url}/dashboard/#/${run.id}`)
  await shell.page.getByText('No session').waitFor()
  expect(await shell.page.content()).not.toContain('ana')
  const again = await open(`${server.dashboard}/${run.id}`)
  await again.page.getByText('No session').waitFor()
})
