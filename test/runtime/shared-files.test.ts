import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readMember } from '../../src/adapters/sessions/read-run.ts'
import { play } from './support/stage.ts'

const subtasks = [
  { worker: 'ana', task: 'Write it.', name: 'first' },
  { worker: 'bo', task: 'Change it.', name: 'second', depends_on: ['first'] },
  { worker: 'ana', task: 'Change it again.', depends_on: ['second'] },
]
const delegation = { calls: [{ tool: 'Delegate', input: { subtasks } }] }
const call = (tool: string, input: object) => ({ calls: [{ tool, input: { file_path: 'a.txt', ...input } }] })
const edit = (old_string: string, new_string: string) => call('Edit', { old_string, new_string })

const script = {
  lead: { steps: [delegation, { say: 'Done.' }] },
  ana: {
    steps: [
      call('Write', { content: 'one\ntwo\n' }),
      { say: 'Written.' },
      edit('one', 'eins'),
      { expect: 'was changed since you read it, by bo', say: 'bo was here.' },
    ],
  },
  bo: { steps: [call('Read', {}), edit('two', 'zwei'), { say: 'Changed.' }] },
}

describe.each(['in-process', 'process'] as const)('members in one tree, %s', (executor) => {
  const worker = { description: 'Writes.', prompt: 'You write.', tools: ['Read', 'Write', 'Edit'], executor }
  const team = { name: 'pair', coordinator: { prompt: 'You lead.' }, workers: { ana: worker, bo: worker } }

  test('do not overwrite each other: who changed the file is named', async () => {
    const { cwd, result } = await play(team, script, { mode: 'acceptEdits' })
    expect(await result).toMatchObject({ status: 'completed', result: 'Done.' })
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('one\nzwei\n')
  })
})

test('a member that was killed remembers what it saw of a file', async () => {
  const worker = { description: 'Writes.', prompt: 'You write.', tools: ['Read', 'Write', 'Edit'], executor: 'process' }
  const team = { name: 'pair', coordinator: { prompt: 'You lead.' }, workers: { ana: worker, bo: worker } }
  const { cwd, run, result } = await play(team, script, { mode: 'acceptEdits' })
  run.subscribe(({ owner, entry }) => {
    if (owner !== 'bo' || entry.type !== 'call.finished' || entry.tool !== 'Edit') return
    process.kill(readMember(run.dir, 'ana')?.pid ?? 0, 'SIGKILL')
  })
  expect(await result).toMatchObject({ status: 'completed', result: 'Done.' })
  expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('one\nzwei\n')
})
