import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openMailbox } from '../../src/index.ts'
import { factsOf, play } from './support/stage.ts'

const index = join(import.meta.dirname, '../../src/index.ts')

/** Sends from a process of its own, as a person at another terminal does. */
async function sendFromOutside(dir: string, home: string, to: string): Promise<number | null> {
  const script = `
    import { openMailbox } from ${JSON.stringify(index)}
    const box = openMailbox(${JSON.stringify(dir)}, 'user', { home: ${JSON.stringify(home)} })
    const sent = box.send({ to: ${JSON.stringify(to)}, kind: 'text', body: 'Mind the tests.', key: 'note' })
    box.close()
    process.exitCode = sent.ok ? 0 : 1`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
}

test('mail from another process reaches a running team, and starts the member it is for', async () => {
  const { cwd, run, recorded, result } = await play(
    {
      name: 'duo',
      coordinator: { prompt: 'You lead.', tools: ['Bash'] },
      partition: 'relaxed',
      permissions: { allow: ['Bash(sleep 30)'] },
      workers: { ana: { description: 'Looks.', prompt: 'You look.' } },
    },
    {
      lead: { steps: [{ calls: [{ tool: 'Bash', input: { command: 'sleep 30' } }] }, { say: 'Done.' }] },
      ana: { steps: [{ expect: ['Mind the tests.', 'from="user"'], say: 'I do.' }] },
    },
    { trusted: true },
  )
  const answered = Promise.withResolvers<void>()
  run.subscribe(({ owner, entry }) => {
    if (owner === 'ana' && entry.type === 'member.idled') answered.resolve()
  })
  expect(await sendFromOutside(run.dir, join(cwd, 'home'), 'ana@duo')).toBe(0)
  await answered.promise
  run.abort()
  await result
  expect(factsOf(recorded, 'ana')).toContain('mail.received')
  expect(recorded.filter(({ entry }) => entry.type === 'event.dropped')).toEqual([])
  expect(recorded.filter(({ entry }) => entry.type === 'warning.raised')).toEqual([])
})

test('what lies in the inbox when a request is made is in it, though no bell has rung', async () => {
  const { cwd, run, result } = await play(
    {
      name: 'duo',
      coordinator: { prompt: 'You lead.', tools: ['LS'] },
      partition: 'relaxed',
      workers: { ana: { description: 'Looks.', prompt: 'You look.' } },
    },
    {
      lead: {
        steps: [{ calls: [{ tool: 'LS', input: { path: '.' } }] }, { expect: 'Mind the tests.', say: 'I mind them.' }],
      },
      ana: { steps: [] },
    },
  )
  const box = openMailbox(run.dir, 'user', { home: join(cwd, 'home') })
  onTestFinished(() => box.close())
  // The next request follows in the same turn of the event loop: no watch can tell of a file before it.
  run.subscribe(({ entry }) => {
    if (entry.type === 'call.finished') box.send({ to: 'lead@duo', kind: 'text', body: 'Mind the tests.', key: 'note' })
  })
  expect(await result).toMatchObject({ status: 'completed', result: 'I mind them.' })
})
