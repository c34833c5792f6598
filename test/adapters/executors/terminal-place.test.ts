import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { WorkerCommand } from '../../../src/adapters/executors/place.ts'
import { terminalPlace } from '../../../src/adapters/executors/terminal-place.ts'
import { templateDriver, type TerminalDriver } from '../../../src/adapters/executors/terminal.ts'
import { killMarked, markVariable } from '../../../src/adapters/process/end-process.ts'
import { isAlive, processStart } from '../../../src/adapters/process/liveness.ts'
import { executorContract } from '../../contracts/executor.ts'
import { tempDir } from '../../runtime/support/stage.ts'
import { bareEnv } from '../../support/bare-env.ts'

const script = (text: string): TerminalDriver => ({
  ...templateDriver('term {argv}'),
  open: ({ argv }) => ['/bin/sh', '-c', text, 'term', ...argv],
})
executorContract('stays', { executors: { stays: terminalPlace(script('sleep 600'), { env: bareEnv }) } })
executorContract('fails', { executors: { fails: terminalPlace(script('exit 3'), { env: bareEnv }) } })

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** A terminal whose windows write what became of them to a file. */
function desk(text: string, more: Partial<TerminalDriver> = {}) {
  const dir = tempDir()
  const file = join(dir, 'windows')
  writeFileSync(file, '')
  const env = { ...bareEnv, WINDOWS: file }
  const place = terminalPlace({ ...script(text), ...more }, { env })
  const mark = `terminal-${dir}`
  onTestFinished(() => void killMarked(mark))
  const command = (member: string): WorkerCommand => ({
    member,
    argv: ['sleep', '300'],
    view: ['echo', `${member}@run`],
    env: { ...bareEnv, [markVariable]: mark },
    cwd: dir,
    log: join(dir, 'log', `${member}.log`),
    title: `${member}@demo`,
    colour: 1,
  })
  return { place, command, said: () => readFileSync(file, 'utf8').trim().split('\n').filter(Boolean) }
}

test('a window shows the view, in the environment of the person, once for all lives of a member', async () => {
  const { place, command, said } = desk(`echo "$* $${markVariable}." >> "$WINDOWS"; sleep 300`)
  for (const member of ['ana', 'bo', 'ana']) await place.launch(command(member))
  await expect.poll(() => said().toSorted()).toEqual(['echo ana@run .', 'echo bo@run .'])
  await place.close?.()
})

test('a window whose program stays is closed at the end, and the worker before that works on without one', async () => {
  const { place, command, said } = desk('echo $$ >> "$WINDOWS"; exec sleep 300')
  const launched = await place.launch(command('ana'))
  await expect.poll(said).toHaveLength(1)
  const pid = Number(said()[0])
  process.kill(pid, 'SIGKILL')
  const { pid: worker = 0, started = 0 } = launched.process ?? {}
  expect(isAlive(worker, started)).toBe(true)
  const other = await place.launch(command('bo'))
  await expect.poll(said).toHaveLength(2)
  await place.close?.()
  await expect.poll(() => isThere(Number(said()[1]))).toBe(false)
  expect(isAlive(other.process?.pid ?? 0, other.process?.started ?? 0)).toBe(true)
})

test('whoever closes once more waits until all windows are closed', async () => {
  const { place, command, said } = desk('echo $$ >> "$WINDOWS"; exec sleep 300')
  for (const member of ['ana', 'bo']) await place.launch(command(member))
  await expect.poll(said).toHaveLength(2)
  const opened = said().map((pid) => ({ pid: Number(pid), started: processStart(Number(pid)) ?? 0 }))
  const first = place.close?.()
  await place.close?.()
  expect(opened.filter(({ pid, started }) => isAlive(pid, started))).toEqual([])
  await first
})

test('a window that the terminal names is closed by its name', async () => {
  const { place, command, said } = desk('echo 7; echo opened >> "$WINDOWS"', {
    idIn: (printed) => /\d+/.exec(printed)?.[0] ?? null,
    close: (id) => ['/bin/sh', '-c', `echo closed ${id} >> "$WINDOWS"`],
  })
  await place.launch(command('ana'))
  await expect.poll(said).toEqual(['opened'])
  await place.close?.()
  expect(said()).toEqual(['opened', 'closed 7'])
})
