import axe from 'axe-core'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { eventfulFacts } from '../../projections/moment/eventful-run.ts'
import { forkRun } from '../../../src/runtime/run/fork-run.ts'
import { recordOfRun } from '../../../src/runtime/runs/read-runs.ts'
import { readSheet } from '../../../src/runtime/reports/read-sheet.ts'
import { reportHtml } from '../../../src/ui/web/report-html.ts'
import { served } from '../../gateways/http/served.ts'
import { play } from '../../runtime/support/stage.ts'
import { stagedRun } from '../../ui/tui/support/staged-run.ts'
import { views } from '../../../src/ui/web/dashboard/state/place.ts'
import { browserOfFile, hasChromium } from './browser.ts'

const { folder, open } = browserOfFile()

/** Faults that axe-core calls serious or critical, as rule and element. */
async function seriousFaults(page: { evaluate(code: string): Promise<unknown> }): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const found = (await page.evaluate('axe.run()')) as axe.AxeResults
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

const small = {
  name: 'small',
  partition: 'relaxed',
  coordinator: { prompt: 'p', tools: ['LS'] },
  workers: { ana: { description: 'd', prompt: 'p' } },
}

const looks = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'light', width: 390 },
] as const

test.skipIf(!hasChromium).for(looks)('no view has a serious fault: %o', async (look) => {
  const staged = stagedRun(['lead', 'ana', 'bo'])
  for (const [owner, fact] of eventfulFacts) staged.tell(owner, fact)
  const { run, cwd } = staged.cast
  const server = await served(cwd, join(cwd, 'home'), {}, { dashboard: folder })
  const { page, faults } = await open(`${server.dashboard}/`, look)
  await page.getByRole('heading', { name: 'Runs' }).waitFor()
  expect(await seriousFaults(page)).toEqual([])
  for (const view of views) {
    await page.evaluate(`location.hash = '#/${run}/${view}/ana'`)
    await page.getByRole('slider').waitFor()
    await page
      .locator(`.tabs [aria-current=page]`)
      .filter({ hasText: new RegExp(view, 'i') })
      .waitFor()
    expect([view, ...(await seriousFaults(page))]).toEqual([view])
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect([view, overflow]).toEqual([view, 0])
  }
  expect(faults).toEqual([])
})

test.skipIf(!hasChromium).for(looks)('two runs are compared on the page without a serious fault: %o', async (look) => {
  const step = { calls: [{ tool: 'LS', input: { path: '.' } }] }
  const { run, cwd, result } = await play(small, { lead: { steps: [step, { say: 'Both <b>files</b>.' }] } })
  await result
  const home = join(cwd, 'home')
  const settled = recordOfRun(run.dir).recorded.find(({ entry }) => entry.type === 'model.settled')
  const other = basename(forkRun(run.dir, { at: settled?.entry.id ?? '', home }))
  const server = await served(cwd, home, {}, { dashboard: folder })
  const { page, faults } = await open(`${server.dashboard}/${run.id}/overview`, look)
  await page.getByRole('slider').waitFor()
  await page.keyboard.press('0')
  await page.getByRole('combobox', { name: 'Compare with' }).selectOption(other)
  await page.getByText('The runs differ.').waitFor()
  // The address names the other run: it is there after a reload, and after another view.
  await expect.poll(() => page.url()).toContain(`with=${other}`)
  await page.reload()
  await page.getByText('The runs differ.').waitFor()
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.locator('.cards').waitFor()
  await page.goBack()
  await page.getByText('The runs differ.').waitFor()
  // A view that a key chose is a step back, too; a moment is none.
  await page.keyboard.press('1')
  await page.keyboard.press(',')
  await expect.poll(() => page.url()).toContain('at=')
  await page.goBack()
  await page.getByText('The runs differ.').waitFor()
  expect(await page.getByRole('group', { name: /^Answer/ }).textContent()).toContain('- Both <b>files</b>.')
  expect(await seriousFaults(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0)
  expect(faults).toEqual([])
})

test.skipIf(!hasChromium)('nor have the page to try requests and the report', async () => {
  const staged = stagedRun(['lead', 'ana', 'bo'])
  for (const [owner, fact] of eventfulFacts) staged.tell(owner, fact)
  const { cwd } = staged.cast
  const server = await served(cwd, join(cwd, 'home'))
  const trial = await open(server.page)
  await trial.page.getByText('Each request below').waitFor()
  expect(await seriousFaults(trial.page)).toEqual([])
  const report = await open('about:blank')
  await report.page.setContent(reportHtml(readSheet(staged.dir)))
  expect(await seriousFaults(report.page)).toEqual([])
  expect([...trial.faults, ...report.faults]).toEqual([])
})
