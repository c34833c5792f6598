import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { processStart } from '../../../../src/adapters/process/liveness.ts'
import { bashOutput } from '../../../../src/adapters/tools/shell/bash-output.ts'
import { bash } from '../../../../src/adapters/tools/shell/bash.ts'
import { endJobs } from '../../../../src/adapters/tools/shell/member-jobs.ts'
import { killBash } from '../../../../src/adapters/tools/shell/kill-bash.ts'
import { workshop } from '../workshop.ts'

const shop = workshop()
const start = (command: string, more = {}) => shop.call(bash, { command, run_in_background: true, ...more })
const look = (bash_id = 'bash_1', wait = 10_000) => shop.call(bashOutput, { bash_id, wait })

const isAlive = (pid: number): boolean => processStart(pid) !== null

describe('a command in the background', () => {
  test('returns at once, and its output is read piece by piece', async () => {
    const command = 'echo one; until [ -e go ]; do sleep 0.02; done; echo two; exit 3'
    expect((await start(command)).text).toContain('as bash_1')
    expect((await look()).text).toBe('one\n[bash_1 is running]')
    shop.write('go', '')
    expect((await look()).text).toMatch(/^two\n/)
    await expect.poll(async () => (await look('bash_1', 0)).text).toContain('[bash_1 has ended]')
    expect((await look('bash_1', 0)).text).toBe('[nothing new]\n[bash_1 has ended] [exit 3]')
  })

  test('runs on while others run, and is stopped with what it started', async () => {
    await start('sleep 300 & echo $! > pid; echo up; wait')
    expect((await look()).text).toBe('up\n[bash_1 is running]')
    expect((await shop.call(bash, { command: 'echo beside' })).text).toBe('beside')
    expect((await shop.call(killBash, { shell_id: 'bash_1' })).text).toContain('bash_1 was stopped')
    expect(isAlive(Number(shop.read('pid')))).toBe(false)
    expect((await look()).text).toContain('[bash_1 has ended]')
    expect((await shop.call(killBash, { shell_id: 'bash_1' })).text).toContain('already ended')
  })

  test('ends with the member', async () => {
    const context = shop.context({ memory: new Map() })
    await shop.call(bash, { command: 'echo $$ > pid; echo up; exec sleep 300', run_in_background: true }, context)
    await shop.call(bashOutput, { bash_id: 'bash_1', wait: 60_000 }, context)
    await endJobs(context.memory)
    expect(isAlive(Number(shop.read('pid')))).toBe(false)
    expect(endJobs(context.memory)).toBeNull()
  })

  test('its directory does not become the member’s', async () => {
    await start('cd /; echo up')
    await look()
    expect((await shop.call(bash, { command: 'pwd' })).text).toBe(shop.dir)
  })

  test('a wait ends with an abort', async () => {
    await start('exec sleep 300')
    const control = new AbortController()
    const waiting = shop.call(bashOutput, { bash_id: 'bash_1', wait: 60_000 }, shop.context({ signal: control.signal }))
    control.abort()
    expect((await waiting).isError).toBe(true)
  })

  test('long output between two looks is cut, the rest of it is not repeated', async () => {
    await start('seq 1 200000; touch ready; exec sleep 300')
    await expect.poll(() => existsSync(shop.path('ready'))).toBe(true)
    const { text } = await look()
    expect(text).toMatch(/characters cut/)
    expect(text.length).toBeLessThan(31_000)
  })

  test('unknown ids and too many commands are refused with what there is', async () => {
    expect((await look('bash_9', 0)).text).toContain('none was started')
    for (let i = 0; i < 16; i += 1) await start('exec sleep 300')
    expect(await start('exec sleep 300')).toMatchObject({
      isError: true,
      text: expect.stringContaining('16 commands already run') as string,
    })
    expect((await look('bsh_2', 0)).text).toContain('Did you mean bash_2?')
  })

  test('a command that is refused has ended for the sandbox, too', async () => {
    const begun = new Set<number>()
    const context = shop.context({
      wrapCommand: (_, argv) => {
        const id = begun.size
        begun.add(id)
        return Promise.resolve({ argv, behind: () => Promise.resolve(begun.delete(id) ? `${id} ended\n` : '') })
      },
    })
    const begin = () => shop.call(bash, { command: 'exec sleep 300', run_in_background: true }, context)
    for (let i = 0; i < 16; i += 1) await begin()
    expect((await begin()).text).toMatch(/Stop one with KillBash\.\n16 ended$/)
    expect(begun.size).toBe(16)
  })
})

describe('a command in a terminal', () => {
  test('has one, and its colours are left out', async () => {
    const { text } = await shop.call(bash, {
      command: 'test -t 0 && test -t 1 && printf "\\033[31mred\\033[0m\\n"; stty size',
      terminal: true,
    })
    expect(text).toBe('red\n40 120')
  })

  test('ends by exit code, time limit and abort', async () => {
    expect((await shop.call(bash, { command: 'exit 4', terminal: true })).text).toBe('[exit 4]')
    const late = await shop.call(bash, { command: 'echo up; sleep 300', terminal: true, timeout: 400 })
    expect(late).toMatchObject({ isError: true, text: expect.stringContaining('[stopped after 0.4 s') as string })
  })
})
