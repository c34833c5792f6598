import axe from 'axe-core'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { served } from '../../gateways/http/served.ts'
import { stagedRun } from '../../ui/tui/support/staged-run.ts'
import { views } from '../../../src/ui/web/dashboard/state/place.ts'
import { browserOfFile, hasChromium } from './browser.ts'
import { tellMuch } from './eventful-stage.ts'

const { folder, open } = browserOfFile()

/** Faults that axe-core calls serious or critical, as rule and element. */
async function seriousFaults(page: { evaluate(code: string): Promise<unknown> }): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const found = (await page.evaluate('axe.run()')) as axe.AxeResults
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

const looks = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'light', width: 390 },
] as const

test.skipIf(!hasChromium).for(looks)('no view has a serious fault: %o', async (look) => {
  const staged = stagedRun(['lead', 'ana', 'bo'])
  tellMuch(staged)
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
    expect(await seriousFaults(page), view).toEqual([])
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect(overflow, `${view} is wider than the window`).toBe(0)
  }
  expect(faults).toEqual([])
})
