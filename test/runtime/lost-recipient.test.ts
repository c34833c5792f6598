import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openMailbox } from '../../src/index.ts'
import { deliverabilityOnDisk } from '../../src/runtime/context/deliverability.ts'
import { play } from './support/stage.ts'

const team = {
  name: 'duo',
  coordinator: { prompt: 'You lead.', gather: { on_failure: { retry: 0 } } },
  workers: { ana: { description: 'Looks.', prompt: 'You look.', restart: 'never' } },
}
const delegate = { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Look.' }] } }] }
const lost = 'ana failed and is not started again: nobody would read this.'

test('whoever writes from another process is told, too, that a member was given up', async () => {
  const { run, cwd, result } = await play(team, {
    lead: { steps: [delegate, { say: 'Without ana.' }] },
    ana: { steps: [] },
  })
  const standing = deliverabilityOnDisk(run.dir)
  const before: unknown[] = []
  const after: unknown[] = []
  const write = (): unknown => {
    const box = openMailbox(run.dir, 'user', { home: join(cwd, 'home') })
    const sent = box.send({ to: 'ana@duo', kind: 'text', body: 'Mind the tests.', key: `${after.length}` })
    box.close()
    return sent
  }
  run.subscribe(({ entry }) => {
    if (entry.type === 'member.spawned' && entry.member === 'lead') {
      // Its journal cannot be there.
      mkdirSync(join(run.dir, 'journal', 'ana.jsonl'), { recursive: true })
      before.push(standing('ana'))
    }
    if (entry.type === 'member.lost') after.push(standing('ana'), write())
  })
  await result
  expect(before).toEqual([null])
  expect(after).toEqual([{ refuse: lost }, { ok: false, error: lost }])
})
