import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { recordOfRun } from '../../src/runtime/runs/read-runs.ts'
import { served } from '../gateways/http/served.ts'
import { stagedRun } from '../ui/tui/support/staged-run.ts'

const readers = 500
const facts = 300

/** A stream of which nothing is read until somebody does. */
function opened(url: string, token: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = get(url, { agent: false, headers: { authorization: `Bearer ${token}` } }, (stream) => {
      // The end of the test cuts it.
      stream.on('error', () => undefined)
      resolve(stream)
    })
    asked.once('error', reject)
    onTestFinished(() => void asked.destroy())
  })
}

/** The numbers of the facts of a stream, up to this one. */
async function numbersOf(stream: IncomingMessage, last: number): Promise<readonly number[]> {
  const numbers: number[] = []
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('id: ')) numbers.push(Number(line.slice(line.lastIndexOf('.') + 1)))
    if (numbers.at(-1) === last) break
  }
  return numbers
}

test('of 500 readers those who read hold nobody up, and those who begin late get every fact once, too', async () => {
  const staged = stagedRun(['lead', 'ana'])
  const { cwd, run } = staged.cast
  const { url, token } = await served(cwd, join(cwd, 'home'), { requests: 10_000 })
  const streams = await Promise.all(
    Array.from({ length: readers }, () => opened(`${url}/api/runs/${run}/events`, token('read'))),
  )
  const [reading, waiting] = [streams.slice(0, readers / 2), streams.slice(readers / 2)]
  const last = recordOfRun(staged.dir).recorded.length + facts
  const expected = Array.from({ length: last }, (_, at) => at + 1)
  const read = reading.map((stream) => numbersOf(stream, last))
  await staged.listened()
  const text = 'x'.repeat(2_000)
  for (let n = 0; n < facts; n += 1) {
    staged.say({ type: 'text.delta', member: 'lead', text })
    staged.tell('team', { type: 'warning.raised', code: 'load', message: text })
  }
  for (const numbers of await Promise.all(read)) expect(numbers).toEqual(expected)
  for (const stream of waiting) expect(await numbersOf(stream, last)).toEqual(expected)
})
