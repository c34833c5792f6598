import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { markVariable } from '../../../src/adapters/process/end-process.ts'
import { systemClock } from '../../../src/runtime/actors/clock.ts'
import { endPrograms } from '../../../src/runtime/member/end-programs.ts'

const incarnation = '01JCZ8Q61N4F8S0V5X7Z9B1C3D'
const shell = { calls: new Map([['Bash', 1]]), incarnation }
const never = new Promise<never>(() => undefined)

/** A clock whose every alarm goes off as soon as somebody asks for it. */
const hurried = {
  ...systemClock(),
  setTimeout: (alarm: () => void) => setImmediate(alarm),
  clearTimeout: () => undefined,
}

function marked() {
  return spawn('sleep', ['300'], { env: { [markVariable]: incarnation } })
}

test('what carries the mark of a life ends with it', async () => {
  const child = marked()
  expect(endPrograms(shell, [], hurried)).toBeUndefined()
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
})

test('it is given the time that its command takes to end, and no more', async () => {
  const child = marked()
  const { promise, resolve } = Promise.withResolvers<void>()
  const patient = { ...hurried, setTimeout: () => undefined }
  const over = endPrograms(shell, [promise], patient)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([null, 'SIGTERM'])
  resolve()
  await over
  const stubborn = marked()
  await endPrograms(shell, [never], hurried)
  expect(await once(stubborn, 'exit')).toEqual([null, 'SIGKILL'])
})

test('who never used the shell is not looked for', async () => {
  const child = marked()
  expect(endPrograms({ calls: new Map(), incarnation }, [], hurried)).toBeUndefined()
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([null, 'SIGTERM'])
})
