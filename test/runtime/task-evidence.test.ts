import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Recorded } from '../../src/protocol/facts/entry.ts'
import { textOf } from '../../src/protocol/conversation/message.ts'
import { play } from './support/stage.ts'

const call = (tool: string, input: object) => ({ calls: [{ tool, input }] })
const done = (evidence: object) => call('TaskDone', { id: 1, evidence: [evidence] })
const claim = call('TaskClaim', { id: 1 })
const bash = (command: string, more: object = {}) => call('Bash', { command, ...more })
const sha256 = (content: string) => createHash('sha256').update(content).digest('hex')

const worker = { description: 'Works.', prompt: 'You work.', tools: ['TaskClaim', 'TaskDone', 'Bash'] }
const team = {
  name: 'duo',
  tasks: { evidence: ['command', 'file'] },
  permissions: { allow: ['Bash'] },
  coordinator: { prompt: 'You lead.' },
  workers: { ana: worker },
}

/** What the board says to a member that claims a task, and to each of these steps. */
async function said(steps: readonly object[], permissions: object = {}): Promise<readonly string[]> {
  const lead = [
    call('TaskCreate', { subject: 'Make it' }),
    call('Delegate', { subtasks: [{ worker: 'ana', task: 'Work.' }] }),
    { say: 'over' },
  ]
  const ending = [call('TaskDone', { id: 1, outcome: 'failed', reason: 'over' }), { say: 'over' }]
  const script = { lead: { steps: lead }, ana: { steps: [claim, ...steps, ...ending] } }
  const { recorded, result } = await play({ ...team, permissions: { ...team.permissions, ...permissions } }, script, {
    trusted: true,
  })
  await result
  return recorded.flatMap((each) => resultsOf('ana', each))
}

function resultsOf(member: string, { owner, entry }: Recorded): readonly string[] {
  if (owner !== member || entry.type !== 'message.appended' || entry.message.role !== 'tool') return []
  return entry.message.results.map((result) => textOf(result))
}

test('neither what runs in the background nor what failed since shows that anything is done', async () => {
  const isMissing = { command: 'test ! -e made', exit_code: 0 }
  const steps = [bash(isMissing.command, { run_in_background: true }), done(isMissing)]
  expect((await said(steps))[2]).toContain('has not run `test ! -e made` to a good end')
  const broken = [bash(isMissing.command), bash('touch made'), bash(isMissing.command), done(isMissing)]
  expect((await said(broken))[4]).toContain('has not run `test ! -e made` to a good end')
})

test('renewing a claim takes nothing from what was shown since it began', async () => {
  expect((await said([bash('true'), claim, done({ command: 'true', exit_code: 0 })]))[3]).toBe('Task 1 is done.')
})

test('who confirms a task holds the command against the claim of the one who did it, not against what came after', async () => {
  const subtasks = [
    { worker: 'ana', task: 'Work.' },
    { worker: 'bo', task: 'Confirm.', depends_on: ['ana'] },
  ]
  const lead = [call('TaskCreate', { subject: 'Make it' }), call('Delegate', { subtasks }), { say: 'over' }]
  const ana = [claim, bash('true'), done({ command: 'true', exit_code: 0 }), { say: 'done' }]
  const bo = [call('TaskDone', { id: 1 }), { say: 'confirmed' }]
  const { recorded, result } = await play(
    { ...team, tasks: { evidence: ['command'], review: true }, workers: { ana: worker, bo: worker } },
    { lead: { steps: lead }, ana: { steps: ana }, bo: { steps: bo } },
    { trusted: true },
  )
  await result
  expect(recorded.flatMap((each) => resultsOf('bo', each))).toEqual(['Task 1 is done.'])
})

test('nothing but a regular file below the working directory is read, and nobody waits for it', async () => {
  const make = bash('mkfifo pipe; mkdir dir; ln -s /etc/hostname link; ln -s circle circle')
  const files = ['pipe', 'dir', 'link', '../other', 'circle']
  const refusals = await said([make, ...files.map((file) => done({ file, sha256: sha256('') }))])
  expect(refusals.slice(2, 7)).toEqual([
    expect.stringContaining('pipe is not a regular file'),
    expect.stringContaining('dir is a directory'),
    expect.stringContaining('link lies outside of the working directory'),
    expect.stringContaining('other lies outside of the working directory'),
    expect.stringContaining('ELOOP'),
  ])
})

test('a file that its member may not read is no evidence, and nobody tells its hash', async () => {
  const steps = [bash('echo secret > "$(printf k).txt"'), done({ file: 'k.txt', sha256: sha256('') })]
  const [, , refusal] = await said(steps, { deny: ['Read(./k.txt)'] })
  expect(refusal).toContain('k.txt may not be read')
  expect(refusal).not.toContain(sha256('secret\n'))
})
