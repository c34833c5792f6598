import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { isAlive, ownProcess, processStart } from '../../../src/adapters/process/liveness.ts'

test('this process is alive, and only with its own start time', () => {
  const { pid, started } = ownProcess()
  expect(pid).toBe(process.pid)
  expect(isAlive(pid, started)).toBe(true)
  expect(isAlive(pid, started + 1)).toBe(false)
})

test('a start time that could not be told counts as alive', () => {
  expect(isAlive(process.pid, 0)).toBe(true)
})

test('a child is alive until it is gone, and then no longer', async () => {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] })
  await once(child, 'spawn')
  const pid = child.pid ?? 0
  const started = processStart(pid) ?? -1
  expect(started).toBeGreaterThan(0)
  expect(isAlive(pid, started)).toBe(true)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(isAlive(pid, started)).toBe(false)
  expect(processStart(pid)).toBeNull()
})

test.each([0, -1, 1.5, Number.NaN])('%s is no process', (pid) => {
  expect(processStart(pid)).toBeNull()
  expect(isAlive(pid, 0)).toBe(false)
})
