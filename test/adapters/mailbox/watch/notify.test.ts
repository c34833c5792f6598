import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { notify } from '../../../../src/adapters/mailbox/watch/notify.ts'

test('nothing is heard of a folder that is paused, and all of it again some time after it was resumed', async () => {
  const home = mkdtempSync(join(tmpdir(), 'troupe-notify-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const [one, other] = [join(home, 'one'), join(home, 'other')]
  for (const folder of [one, other]) mkdirSync(folder)
  const heard = new Set<string | null>()
  const notifications = notify([one, other], {
    hint: (_, file) => void heard.add(file),
    fail: (message) => expect.unreachable(message),
  })
  await notifications.ready
  /** Writes files, one after the other, until one is heard of. */
  const untilHeard = async (folder: string, name: string): Promise<void> => {
    for (let n = 0; ![...heard].some((file) => file?.startsWith(name)); n += 1) {
      writeFileSync(join(folder, `${name}-${n}`), '')
      await setImmediate()
    }
  }
  await untilHeard(one, 'before')
  notifications.pause(one)
  await setImmediate()
  writeFileSync(join(one, 'paused'), '')
  await untilHeard(other, 'beside')
  expect(heard.has('paused')).toBe(false)
  notifications.resume(one)
  await untilHeard(one, 'after')
  await notifications.close()
})

test('what came before a resumed folder is heard again is hinted at', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-notify-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  let hinted = (): void => undefined
  const notifications = notify([folder], {
    hint: (_, file) => file === null && hinted(),
    fail: (message) => expect.unreachable(message),
  })
  await notifications.ready
  notifications.pause(folder)
  await setImmediate()
  const again = new Promise<void>((resolve) => (hinted = resolve))
  notifications.resume(folder)
  writeFileSync(join(folder, 'between'), '')
  await again
  await notifications.close()
})

test('when it is ready every folder is heard of, however many there are', async () => {
  const home = mkdtempSync(join(tmpdir(), 'troupe-notify-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const folders = [...Array(260).keys()].map((n) => join(home, String(n)))
  for (const folder of folders) mkdirSync(folder)
  const silent = new Set(folders)
  const all = Promise.withResolvers<void>()
  const notifications = notify(folders, {
    hint(folder, file) {
      if (file !== null) silent.delete(folder)
      if (silent.size === 0) all.resolve()
    },
    fail: (message) => expect.unreachable(message),
  })
  await notifications.ready
  for (const folder of folders) writeFileSync(join(folder, 'mail'), '')
  await all.promise
  await notifications.close()
})
