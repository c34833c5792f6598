import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { stringify } from 'yaml'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDashboard } from '../../tools/build-dashboard.ts'
import { onTerminal, pty } from '../../ui/cli/process/on-terminal.ts'
import { directoryWith, start } from '../../ui/cli/process/troupe.ts'
import { browserOfFile, hasChromium } from './browser.ts'

const worker = { description: 'Runs a command.', prompt: 'You run it.', tools: ['Bash'] }
const asks = (name: string) => ({
  steps: [{ calls: [{ tool: 'Bash', input: { command: `touch by-${name}` } }] }, { say: `Made by ${name}.` }],
})
const subtasks = ['ana', 'bo'].map((name) => ({ worker: name, task: 'Touch it.' }))

/** The program with its page built, as a package has it. */
const home = mkdtempSync(join(tmpdir(), 'troupe-with-page-'))
const bin = join(home, 'src/ui/cli/bin.ts')
const { open } = browserOfFile()

beforeAll(async () => {
  for (const part of ['src', 'machines', 'teams', 'package.json']) cpSync(part, join(home, part), { recursive: true })
  symlinkSync(resolve('node_modules'), join(home, 'node_modules'))
  await buildDashboard(join(home, 'dist/dashboard'))
}, 120_000)
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** A directory with a team of two who ask. */
function workplace(): string {
  const team = {
    name: 'duo',
    model: 'scripted/duo.script.yaml',
    coordinator: { prompt: 'You lead.' },
    workers: { ana: worker, bo: worker },
  }
  const lead = { steps: [{ calls: [{ tool: 'Delegate', input: { subtasks } }] }, { say: 'Both are done.' }] }
  const script = { agents: { lead, ana: asks('ana'), bo: asks('bo') } }
  return directoryWith({ 'teams/duo.yaml': stringify(team), 'teams/duo.script.yaml': stringify(script) })
}

/** `troupe dashboard` as a process of its own, and the address that it prints. */
async function dashboard(cwd: string, ...words: readonly string[]) {
  const started = start(cwd, ['dashboard', '--json', '--no-open', ...words], {}, bin)
  let said = ''
  started.child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  await expect.poll(() => said).toMatch(/\}\n$/)
  return { ...started, ...(JSON.parse(said) as { url: string; page: string; run: string | null; pid: number }) }
}

test.skipIf(!hasChromium || !pty)(
  'what one face answers the other shows as answered, and the run goes on',
  async () => {
    const cwd = workplace()
    const run = start(cwd, ['run', 'duo', 'Go.', '--trust', '--wait-permissions', '1h'])
    await expect.poll(() => existsSync(join(cwd, '.troupe/runs'))).toBe(true)
    const attach = onTerminal(cwd, ['attach'], [110, 32])
    await attach.until((screen) => screen.includes('2 asking'))
    attach.press('\u0010')
    const asked = await attach.until((screen) => screen.includes('Question 1 of 2'))
    const [first, second] = asked.includes('touch by-ana') ? ['ana', 'bo'] : ['bo', 'ana']

    const served = await dashboard(cwd, 'duo', '--port', '0')
    const { page, faults } = await open(served.page)
    await page.getByText('2 questions wait').waitFor()
    await page.getByRole('link', { name: 'Answer' }).click()
    const onPage = page.getByRole('region', { name: `${first} asks about Bash` })
    await onPage.getByRole('button', { name: 'Allow once' }).click()
    // The question that attach had open gives way to the next one, and who answered it is said.
    const next = await attach.until(
      (screen) => screen.includes(`touch by-${second}`) && screen.includes('troupe dashboard'),
    )
    expect(next).toContain(`${first}, Bash: allowed by troupe dashboard`)
    // A key that is meant for what stood there before is no answer: the person's one press comes late enough.
    const press = setInterval(() => attach.press('a'), 300)
    await page.getByText('Nobody waits for you.').waitFor()
    clearInterval(press)
    const answers = await page.locator('.answered .state').allTextContents()
    expect(answers.toSorted()).toEqual(['✓ allowed by troupe attach', '✓ allowed by troupe dashboard'])
    expect(await run.ended).toMatchObject({ code: 0 })
    expect(['ana', 'bo'].map((name) => existsSync(join(cwd, `by-${name}`)))).toEqual([true, true])
    expect(faults).toEqual([])
  },
)

test.skipIf(!hasChromium)(
  'the command opens one session with its address, takes another port where its own is taken, and ends',
  async () => {
    const cwd = directoryWith({})
    const [one, two] = [await dashboard(cwd), await dashboard(cwd)]
    expect(new URL(one.url).port).not.toBe(new URL(two.url).port)
    const { page } = await open(two.page)
    await page.locator('main .empty').waitFor()
    const again = await open(two.page)
    await again.page.getByText('No session').waitFor()
    const taken = start(cwd, ['dashboard', '--no-open', '--port', new URL(one.url).port], {}, bin)
    expect(await taken.ended).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nothing is served at') as string,
    })
    for (const each of [one, two]) {
      each.child.kill('SIGINT')
      expect(await each.ended).toMatchObject({ code: 0, stderr: '' })
      await expect(fetch(each.url)).rejects.toThrow('fetch failed')
    }
  },
)
