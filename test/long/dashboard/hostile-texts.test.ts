import { cpSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { Envelope } from '../../../src/protocol/mail/envelope.ts'
import { reportHtml } from '../../../src/ui/web/report-html.ts'
import { views } from '../../../src/ui/web/dashboard/state/place.ts'
import { readSheet } from '../../../src/runtime/reports/read-sheet.ts'
import { served } from '../../gateways/http/served.ts'
import { asked, returned, spoken, stagedRun, type StagedRun } from '../../ui/tui/support/staged-run.ts'
import { hostileTexts } from '../../ui/web/hostile-texts.ts'
import { browserOfFile, hasChromium } from './browser.ts'

const { folder, open } = browserOfFile()

/** Markdown that would become more than text. */
const hostileMarkdown = [
  '[go](javascript:ran())',
  '[go](JaVaScRiPt:ran())',
  '[go](&#106;avascript:ran())',
  '[go](data:text/html,<script>ran()</script>)',
  '[go](vbscript:ran())',
  '![x](x" onerror="ran())',
  '![x](javascript:ran())',
  '<javascript:ran()>',
  '[x]: javascript:ran()\n\n[x]',
  '[a](//evil.example "title\\" onmouseover=\\"ran()")',
  '```html"><script>ran()</script>\n<script>ran()</script>\n```',
  '| <script>ran()</script> | b |\n| --- | --- |\n| <img src=x onerror=ran()> | c |',
]

/** A run whose prompts, answers, calls, files, results, mail, tasks and errors are hostile. */
function hostileRun(): StagedRun {
  const staged = stagedRun(['lead', 'ana'])
  const { tell } = staged
  const task = hostileTexts.join(' ')
  tell('team', { type: 'team.started', run: staged.cast.run, team: 'demo', hash: 'h', task })
  tell('ana', { type: 'member.woke' }, { type: 'agent.started' })
  for (const [index, text] of [...hostileTexts, ...hostileMarkdown].entries()) {
    const call = `c${index}`
    const mail = envelope(index, text)
    tell(
      'ana',
      asked(text),
      spoken(text, [call, 'Edit', { file_path: text, old_string: text, new_string: `${text}!`, [text]: text }]),
      { type: 'call.started', call_id: call, tool: text },
      returned(call, 'Edit', text),
      { type: 'model.requested', turn: index + 1, model: text },
      { type: 'warning.raised', code: text, message: text },
    )
    tell('lead', { type: 'mail.sent', envelope: mail })
    tell('team', {
      type: 'task.created',
      task: index + 1,
      subject: text,
      description: text,
      blocked_by: [],
      author: text,
      mail_id: mail.id,
    })
  }
  const decision = { behavior: 'ask', source: 'mode', reason: hostileTexts[0] ?? '' } as const
  tell('ana', spoken('', ['q', 'Bash', { command: hostileTexts.join('\n') }]), {
    type: 'permission.requested',
    call_id: 'q',
    tool: 'Bash',
    request: 'ana-9-1',
    decision,
    deadline: null,
  })
  return staged
}

function envelope(index: number, body: string): Envelope {
  const id = String(index).padStart(26, '0')
  const rest = { v: 1, key: id, sender: 'lead', seq: index + 1, kind: 'text', priority: 'normal', sent_at: 1 } as const
  return { ...rest, id, from: 'lead@sample', to: 'ana@sample', body }
}

/** Elements that only hostile text would make, addresses that leave the page, and attributes that run. */
const strangers = `[...document.querySelectorAll('*')].flatMap((element) => [
  ...(/^(iframe|object|embed|img|video|audio|math|form|base|style|template|marquee|xmp)$/i.test(element.localName) && !element.closest('.answer, dialog') ? [element.outerHTML.slice(0, 200)] : []),
  ...[...element.attributes].flatMap(({ name, value }) => (/^on/i.test(name) || (/^(href|src|action|formaction)$/i.test(name) && /^\\\\s*(javascript|data|vbscript):/i.test(value)) ? [name + '=' + value] : [])),
])`

test.skipIf(!hasChromium)('no text of a member runs on the page, makes an element, or leaves the server', async () => {
  const staged = hostileRun()
  const { cwd, run } = staged.cast
  const server = await served(cwd, join(cwd, 'home'), {}, { dashboard: folder })
  const { page, faults } = await open(`${server.dashboard}/${run}`)
  const elsewhere: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url)) elsewhere.push(request.url())
  })
  await page.evaluate('globalThis.ran = () => { document.documentElement.dataset.ran = "yes" }')
  await page.getByText('1 question waits').waitFor()
  for (const view of views) {
    await page.evaluate(`location.hash = '#/${run}/${view}/ana'`)
    await page
      .locator('.tabs [aria-current=page]')
      .filter({ hasText: new RegExp(view, 'i') })
      .waitFor()
    await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true')
    await page.evaluate('for (const each of document.querySelectorAll(".mail")) each.click()')
    expect([view, await page.evaluate(strangers)]).toEqual([view, []])
  }
  expect(await page.evaluate('document.documentElement.dataset.ran')).toBe(undefined)
  expect(await page.evaluate('[...document.querySelectorAll("script")].length')).toBe(1)
  expect(elsewhere).toEqual([])
  expect(faults).toEqual([])
})

test.skipIf(!hasChromium)('nor where two runs are compared', async () => {
  const staged = hostileRun()
  const { cwd, run } = staged.cast
  const home = join(cwd, 'home')
  const other = `${run.slice(0, -1)}9`
  cpSync(staged.dir, join(dirname(staged.dir), other), { recursive: true })
  staged.tell('ana', ...hostileTexts.map((text) => spoken(text, [text, text, { file_path: text, command: text }])))
  const server = await served(cwd, home, {}, { dashboard: folder })
  const { page, faults } = await open(`${server.dashboard}/${run}/diff?with=${encodeURIComponent(other)}`)
  await page.evaluate('globalThis.ran = () => { document.documentElement.dataset.ran = "yes" }')
  await page.getByText('The runs differ.').waitFor()
  await page.getByText('javascript:ran()').first().waitFor()
  expect(await page.evaluate(strangers)).toEqual([])
  await page.goto(`${server.url}/dashboard/#/${run}/diff?with=${encodeURIComponent(hostileTexts[0] ?? '')}`)
  await page.locator('.trouble').waitFor()
  expect(await page.evaluate(strangers)).toEqual([])
  expect(await page.evaluate('document.documentElement.dataset.ran')).toBe(undefined)
  // The run that is not there is answered with 404, which the console tells.
  expect(faults.filter((fault) => !fault.includes('404'))).toEqual([])
})

test.skipIf(!hasChromium)('nor in a report, nor on the page to try requests', async () => {
  const staged = hostileRun()
  const { cwd, run } = staged.cast
  const server = await served(cwd, join(cwd, 'home'))
  const { page, faults } = await open(server.page)
  await page.evaluate('globalThis.ran = () => { document.documentElement.dataset.ran = "yes" }')
  const facts = page.locator('details', { hasText: 'GET /api/runs/{run}/transcript' })
  await facts.locator('summary').click()
  await facts.getByLabel('run').fill(run)
  await facts.getByRole('button').click()
  await facts.locator('pre', { hasText: '200' }).waitFor()
  expect(await page.evaluate(strangers)).toEqual([])
  expect(await page.evaluate('document.documentElement.dataset.ran')).toBe(undefined)
  expect(faults).toEqual([])
  const report = await open('about:blank')
  await report.page.setContent(reportHtml(readSheet(staged.dir)))
  expect(await report.page.evaluate('document.querySelectorAll("script, img, iframe, object, form").length')).toBe(0)
  expect(report.faults).toEqual([])
})
