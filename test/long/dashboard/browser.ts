import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { buildDashboard } from '../../tools/build-dashboard.ts'

const executablePath = spawnSync('which', ['chromium'], { encoding: 'utf8' }).stdout.trim()

/** Whether the browser is here; without it the tests of the page are skipped. */
export const hasChromium = executablePath !== ''

/** A page of its own session, and all that went wrong on it: errors of scripts, and what its policy forbade. */
export interface WatchedPage {
  readonly page: Page
  readonly faults: readonly string[]
}

/** Looks of a page. */
export interface Looks {
  readonly colorScheme?: 'light' | 'dark'
  readonly width?: number
}

/** The built page and a browser, for the tests of one file. */
export function browserOfFile() {
  let browser: Browser | undefined
  const folder = mkdtempSync(join(tmpdir(), 'troupe-dashboard-'))
  beforeAll(async () => {
    if (!hasChromium) return
    await buildDashboard(folder)
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  })
  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return { folder, open: (url: string, looks: Looks = {}) => openPage(browser, url, looks) }
}

async function openPage(browser: Browser | undefined, url: string, looks: Looks): Promise<WatchedPage> {
  if (browser === undefined) throw new Error('no browser was started')
  const { colorScheme = 'light', width = 1280 } = looks
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 844 } })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  page.on('dialog', (dialog) => {
    faults.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  await page.goto(url)
  return { page, faults }
}
