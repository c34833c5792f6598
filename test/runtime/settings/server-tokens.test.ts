import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { tempDir } from '../support/stage.ts'

const rounds = 20
const makers = 3

/** Opens the tokens of one home after the other, each in the same moment as the other makers. */
const maker = `
  const { parentPort, workerData: { module, homes, barrier } } = require('node:worker_threads')
  import(module).then(({ openServerTokens }) => {
    const heard = homes.map((home, round) => {
      Atomics.add(barrier, round, 1)
      while (Atomics.load(barrier, round) < ${makers});
      try {
        openServerTokens(home)
        return 'opened'
      } catch (error) {
        return error.message
      }
    })
    parentPort.postMessage(heard)
  })
`

test('servers that begin together at a new home agree on its tokens', async () => {
  const homes = Array.from({ length: rounds }, () => tempDir())
  const barrier = new Int32Array(new SharedArrayBuffer(rounds * Int32Array.BYTES_PER_ELEMENT))
  const module = resolve('src/runtime/settings/server-tokens.ts')
  const heard = await Promise.all(
    Array.from({ length: makers }, () => {
      const worker = new Worker(maker, { eval: true, workerData: { module, homes, barrier } })
      onTestFinished(() => void worker.terminate())
      return new Promise<readonly string[]>((settle, fail) => {
        worker.once('message', settle)
        worker.once('error', fail)
      })
    }),
  )
  expect(new Set(heard.flat())).toEqual(new Set(['opened']))
  for (const home of homes)
    expect(JSON.parse(readFileSync(join(home, '.troupe/server-tokens.json'), 'utf8'))).toMatchObject({
      tokens: [{}, {}, {}],
    })
})
