import { expect, onTestFinished, test } from 'vitest'
import { readCast } from '../../../src/runtime/runs/read-cast.ts'
import { pendingApprovals } from '../../../src/runtime/runs/answer-approval.ts'
import { recordOfRun } from '../../../src/runtime/runs/read-runs.ts'
import { choose } from '../../../src/ui/cli/acts/choose.ts'
import { attach } from '../../../src/ui/tui/attach.ts'
import { spokenDuo } from '../../runtime/support/spoken-duo.ts'
import { talkingServer } from '../../support/talking-server.ts'
import { fakeHost } from '../cli/fake-host.ts'
import { emulator, type Emulator } from './support/emulator.ts'

/** Attaches a screen of its own; leaving it is told by the promise. */
function watch(
  dir: string,
  home: string,
  member: string | null = null,
  troupe: (args: readonly string[]) => Promise<string> = async () => '',
): Emulator & { readonly left: Promise<void> } {
  const terminal = emulator(120, 36)
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const run = readCast(dir)
  if (!run) throw new Error(`${dir} is no run`)
  const describe = async ({ tool }: { readonly tool: string }) => `May it use ${tool}?`
  const to = {
    dir,
    run,
    member,
    home,
    now: () => Date.now(),
    monotonic: () => performance.now(),
    describe,
    call: () => undefined,
    options: async () => [],
    env: {},
    troupe,
    edit: async () => undefined,
    signal: stop.signal,
  }
  const left = attach(to, { ...terminal, paint: (_, text) => text, onExit: () => () => undefined })
  return { ...terminal, left }
}

test.each(['in-process', 'process'] as const)(
  'a screen shows what a member %s is writing, before it is written down',
  async (executor) => {
    const server = await talkingServer()
    const { run, home, ana } = await spokenDuo(executor, server)
    const one = watch(run.dir, home)
    const other = watch(run.dir, home, 'ana')
    one.press('\u0006')
    await one.until((screen) => screen.includes('ana · thinking'))
    ana.say('The first ')
    // Nobody listened at once, perhaps: it goes on until it is seen.
    const speaking = setInterval(() => ana.say('and more '), 20)
    await Promise.all([one, other].map(({ until }) => until((screen) => screen.includes('and more and more'))))
    clearInterval(speaking)
    expect(JSON.stringify(recordOfRun(run.dir).recorded)).not.toContain('and more')
    one.press('\u0003')
    await one.left
    ana.say('END')
    await other.until((screen) => screen.includes('END'))
    ana.end()
    const lead = await server.next()
    lead.say('All done.')
    lead.end()
    expect(await run.result).toMatchObject({ status: 'completed', result: 'All done.' })
    await other.until((screen) => screen.includes('completed'))
    other.press('\u0003')
    await other.left
  },
)

test.each(['in-process', 'process'] as const)(
  'a screen that comes in the middle of an answer of a member %s shows all of it',
  async (executor) => {
    const server = await talkingServer()
    const { run, home, ana } = await spokenDuo(executor, server)
    const first = watch(run.dir, home, 'ana')
    await first.until((screen) => screen.includes('thinking'))
    ana.say('The beginning of it')
    await first.until((screen) => screen.includes('The beginning of it'))
    first.press('\u0003')
    await first.left
    const late = watch(run.dir, home, 'ana')
    await late.until((screen) => screen.includes('The beginning of it'))
    ana.say(', and the rest.')
    expect(await late.until((screen) => screen.includes('rest.'))).toContain('The beginning of it, and the rest.')
    ana.end()
    const lead = await server.next()
    lead.say('All done.')
    lead.end()
    expect(await run.result).toMatchObject({ status: 'completed' })
    late.press('\u0003')
    await late.left
  },
)

/** The command that the key for a mode calls, in this process. */
async function chosenMode([, run, member, value]: readonly string[], home: string): Promise<string> {
  const host = fakeHost({ home })
  await choose('mode', { run, member, value }, { host })
  return host.stdout.text.trim()
}

test.each(['in-process', 'process'] as const)(
  'the key for the next mode counts at once for a member %s that stands at a question',
  async (executor) => {
    const server = await talkingServer()
    const { run, home, ana } = await spokenDuo(executor, server)
    const screen = watch(run.dir, home, 'ana', (args) => chosenMode(args, home))
    await screen.until((text) => text.includes('thinking'))
    ana.call('Bash', { command: 'touch seen' })
    ana.end()
    await screen.until((text) => text.includes('ana wants to use Bash'))
    screen.press('\u000f')
    await screen.until(
      (text) => text.includes('mode: ana acceptEdits') && text.includes('mode acceptEdits from now on'),
    )
    const types = recordOfRun(run.dir).recorded.map(({ entry }) => entry.type)
    expect(types).toContain('mode.chosen')
    expect(pendingApprovals([run.dir])).toHaveLength(1)
    screen.press('\u0003')
    await screen.left
  },
)

test('mail, steering and answers reach a worker in another process', async () => {
  const server = await talkingServer()
  const { run, home, ana } = await spokenDuo('process', server)
  const screen = watch(run.dir, home, 'ana')
  await screen.until((text) => text.includes('thinking'))
  ana.call('Bash', { command: 'touch seen' })
  ana.end()
  await screen.until((text) => text.includes('ana wants to use Bash'))
  screen.press('\u0010')
  await screen.until((text) => text.includes('May it use Bash?'))
  // A key that comes too soon after the question is no answer: it is pressed until it is one.
  const pressing = setInterval(() => screen.press('a'), 50)
  const second = await server.next()
  clearInterval(pressing)
  // What is spoken live may be lost: it goes on until it is seen.
  const speaking = setInterval(() => second.say('Thinking about it. '), 20)
  await screen.until((text) => text.includes('Thinking about it.'))
  clearInterval(speaking)
  screen.press('\u0015Look left.\u0013')
  const third = await server.next()
  expect(third.asked).toContain('Look left.')
  third.say('I looked left.')
  third.end()
  const lead = await server.next()
  lead.say('All done.')
  lead.end()
  expect(await run.result).toMatchObject({ status: 'completed' })
  screen.press('\u0003')
  await screen.left
})
