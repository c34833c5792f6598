import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { terminalPlace } from '../../../src/adapters/executors/terminal-place.ts'
import { templateDriver, type TerminalDriver } from '../../../src/adapters/executors/terminal.ts'
import { workerExecutor, type WorkerControl } from '../../../src/adapters/executors/worker-executor.ts'
import { isHopeless } from '../../../src/protocol/team/executor.ts'
import { executorContract } from '../../contracts/executor.ts'
import { tempDir } from '../../runtime/support/stage.ts'

/** A terminal whose program is this script; it gets a window's command as its arguments. */
function terminal(script: string) {
  const dir = tempDir()
  const file = join(dir, 'term')
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return { dir, place: terminalPlace(templateDriver(`${file} --title={title} {argv}`)) }
}

const driver = (script: string): TerminalDriver => ({
  ...templateDriver('term {argv}'),
  open: ({ argv }) => ['/bin/sh', '-c', script, 'term', ...argv],
})
executorContract('stays', { executors: { stays: terminalPlace(driver('"$@"; true')) } })
executorContract('becomes', { executors: { becomes: terminalPlace(driver('exec "$@"')) } })
executorContract('returns', { executors: { returns: terminalPlace(driver('setsid "$@" > /dev/null 2>&1 &')) } })

/** An executor at a terminal at which no worker ever says hello. */
function unheard(script: string, helloMs: number) {
  const { dir, place } = terminal(script)
  const control: WorkerControl = {
    adopt: () => Promise.resolve(null),
    prepare: ({ member }) => ({
      member,
      argv: ['/bin/true'],
      view: ['true'],
      env: { PATH: process.env['PATH'] ?? '', TROUPE_LIFE: 'none' },
      cwd: dir,
      log: join(dir, 'log', `${member}.log`),
      title: `${member}@demo`,
      colour: 1,
    }),
    hello: (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      }),
    begun: () => Promise.resolve(),
    order: () => undefined,
    mark: () => 'no such life',
    ended: () => undefined,
  }
  const executor = workerExecutor('terminal', { ...place, helloMs }, control)
  const start = (): Promise<unknown> =>
    executor.spawn({ member: 'ana', runDir: dir, attempt: 1 }).then(
      () => 'it began',
      (error: unknown) => error,
    )
  return { dir, start }
}

describe('a worker that is never heard of', () => {
  test.each([
    [
      'with the last words of its launcher',
      'echo warning >&2; echo "cannot open display :7" >&2; exit 3',
      60_000,
      'cannot open display :7 (it was not launched)\nwarning',
    ],
    ['with how it ended', 'exit 3', 60_000, 'term ended with code 3 and said nothing (it was not launched)'],
    [
      'of a window in which nothing began',
      'exec sleep 600',
      50,
      'term is open and no worker began in it (it said nothing)',
    ],
  ])('is given up after the second time, %s', async (_, script, helloMs, words) => {
    const { start } = unheard(script, helloMs)
    const failures = [await start(), await start()]
    for (const failure of failures) expect(String(failure)).toContain(`ana did not begin in terminal: `)
    for (const failure of failures) expect(String(failure)).toContain(words)
    expect(failures.map(isHopeless)).toEqual([false, true])
  })

  test('leaves no window behind', async () => {
    const { dir, start } = unheard('echo $$ > "$(dirname "$0")/pid"; exec sleep 600', 300)
    await start()
    const pid = readFileSync(join(dir, 'pid'), 'utf8').trim()
    await expect
      .poll(() => spawnSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' }).stdout.trim())
      .toMatch(/^(Z.*)?$/)
  })
})
