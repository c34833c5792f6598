import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { approvalFiles } from '../../../../src/adapters/approvals/approval-files.ts'
import type { ApprovalFile } from '../../../../src/protocol/permissions/approval-file.ts'
import { noUsage } from '../../../../src/protocol/conversation/message.ts'
import { widthOf } from '../../../../src/ui/text/terminal-text.ts'
import { emulator, type Emulator } from '../support/emulator.ts'
import { returned, spoken, stagedRun, type StagedRun } from '../support/staged-run.ts'

const usage = { ...noUsage, input: 12_000, output: 345 }
const model = 'scripted/demo.script.yaml'
const decision = { behavior: 'ask', source: 'mode', reason: 'default mode asks before running git push' } as const

const names = ['lead', ...Array.from({ length: 12 }, (_, n) => `worker-${n + 1}`)]
const push = { command: 'git push origin main --force-with-lease' }

const question: ApprovalFile = {
  v: 1,
  id: 'worker-9-1-1',
  member: 'worker-9@demo',
  call_id: 'c1',
  tool: 'Bash',
  input: push,
  task: null,
  decision,
  near: [],
  grants: { session: [], save: [] },
  asked_at: 1,
  deadline: null,
}

/** Thirteen members: one asks, one crashed, others think, run a tool, wait and rest. */
function crowd(run: StagedRun): void {
  const request = { type: 'model.requested', turn: 3, model } as const
  const settled = {
    type: 'model.settled',
    turn: 3,
    model,
    stop: 'end',
    usage,
    cost_usd: 0.04,
    duration_ms: 10,
  } as const
  run.tell('lead', { type: 'member.woke' }, request, settled, spoken('I ask the workers.'), {
    type: 'agent.parked',
    turn: 3,
  })
  run.tell('worker-1', { type: 'member.woke' }, request)
  run.tell(
    'worker-2',
    { type: 'member.woke' },
    request,
    settled,
    spoken('Tests.', ['c1', 'Bash', { command: 'npm test' }]),
  )
  run.tell('worker-2', { type: 'call.started', call_id: 'c1', tool: 'Bash' })
  run.tell('worker-3', { type: 'member.woke' }, request, settled, spoken('変更点を書きました。 All is written.'))
  run.tell('worker-3', { type: 'member.idled', reason: 'nothing_to_do' })
  run.tell(
    'worker-4',
    { type: 'member.woke' },
    { type: 'member.idled', reason: 'waiting_for_answer', waiting_for: ['worker-3'] },
  )
  run.tell('worker-9', { type: 'member.woke' }, request, settled, spoken('', ['c1', 'Bash', push]))
  run.tell('worker-9', {
    type: 'permission.requested',
    call_id: 'c1',
    tool: 'Bash',
    request: question.id,
    decision,
    deadline: null,
  })
  approvalFiles(join(run.dir, 'permissions'), () => new Uint8Array()).ask(question)
  run.tell('team', { type: 'member.crashed', member: 'worker-11', error: 'exit code 137' })
  run.tell('team', {
    type: 'task.created',
    task: 1,
    subject: 'Write the notes',
    blocked_by: [],
    author: 'lead',
    mail_id: 'm1',
  })
  run.tell('team', { type: 'task.claimed', task: 1, by: 'worker-3', epoch: 1, until: 9, mail_id: 'm2' })
  run.tell('team', {
    type: 'task.created',
    task: 2,
    subject: 'Check them',
    description: 'Each link.',
    blocked_by: [1],
    author: 'lead',
    mail_id: 'm3',
  })
}

async function begin(terminal: Emulator): Promise<StagedRun> {
  const run = stagedRun(names)
  crowd(run)
  void run.show(terminal)
  await run.listened()
  await terminal.until((screen) => screen.includes('Approvals 1') && screen.includes('failed'))
  return run
}

const shown = (screen: readonly string[]): string => `${screen.join('\n')}\n`

describe.each([
  [80, 24],
  [120, 40],
  [200, 60],
])('%i × %i', (columns, rows) => {
  test('lists who needs a person first, and counts what it does not show', async () => {
    const terminal = emulator(columns, rows)
    await begin(terminal)
    const screen = await terminal.screen()
    for (const line of screen) expect(widthOf(line)).toBeLessThanOrEqual(columns)
    await expect(shown(screen)).toMatchFileSnapshot(`../golden/members-${columns}x${rows}.txt`)
  })

  test('lists tasks, with the selected one in full', async () => {
    const terminal = emulator(columns, rows)
    await begin(terminal)
    terminal.press('\t\u001b[B')
    await terminal.until((screen) => screen.includes('Each link.'))
    await expect(shown(await terminal.screen())).toMatchFileSnapshot(`../golden/board-${columns}x${rows}.txt`)
  })
})

test('a click selects a row, a second one opens it, the wheel moves, and Ctrl+T leaves the mouse to the terminal', async () => {
  const terminal = emulator(80, 24)
  await begin(terminal)
  const click = (x: number, y: number): void => terminal.press(`\u001b[<0;${x};${y}M\u001b[<0;${x};${y}m`)
  click(10, 5)
  await terminal.until((screen) => screen.includes('▶  2 ●'))
  terminal.press('\u001b[<65;10;5M')
  await terminal.until((screen) => screen.includes('▶  3 »'))
  terminal.press('\u001b[<64;10;5M')
  await terminal.until((screen) => screen.includes('▶  2 ●'))
  click(10, 5)
  await terminal.until((screen) => screen.includes('worker-1> '))
  terminal.press('\u001b')
  await terminal.until((screen) => screen.includes('[Members 13]'))
  click(15, 1)
  await terminal.until((screen) => screen.includes('[Board 2]'))
  expect(terminal.written()).not.toContain('\u001b[?1000l')
  terminal.press('\u0014')
  await terminal.until((screen) => screen.includes('mouse off'))
  expect(terminal.written()).toContain('\u001b[?1000l')
})

test('no click answers a question', async () => {
  const terminal = emulator(80, 24)
  await begin(terminal)
  terminal.press('\u0010')
  await terminal.until((screen) => screen.includes('Described.'))
  for (let y = 1; y <= 24; y += 1) terminal.press(`\u001b[<0;3;${y}M`)
  terminal.press('\u001b')
  await terminal.until((screen) => screen.includes('[Members 13]'))
  expect(await terminal.until((screen) => screen.includes('Approvals 1'))).toContain('worker-9')
})

test('the charts of all members stand in words, the selected one whole', async () => {
  const terminal = emulator(80, 24)
  await begin(terminal)
  terminal.press('\t\t\t\t\t')
  await terminal.until((screen) => screen.includes('[Machine]'))
  terminal.press('j')
  await terminal.until((screen) => screen.includes('member living › busy'))
  // Clock times are those of the machine's zone.
  const screen = shown(await terminal.screen()).replaceAll(/\d\d:\d\d:\d\d/g, 'hh:mm:ss')
  await expect(screen).toMatchFileSnapshot('../golden/machine-80x24.txt')
})

test('a member is found by its number and by a word, and opened', async () => {
  const terminal = emulator(80, 24)
  const run = await begin(terminal)
  terminal.press('4')
  await terminal.until((screen) => screen.includes('▶○ worker-3'))
  terminal.press('/')
  await terminal.until((screen) => screen.includes('/▏'))
  terminal.press('push')
  await terminal.until((screen) => screen.includes('/push') && !screen.includes('worker-3'))
  terminal.press('\r')
  await terminal.until((screen) => screen.includes('/push · Esc shows all'))
  terminal.press('\r')
  await terminal.until((screen) => screen.includes('worker-9> '))
  run.tell('worker-9', returned('c1', 'Bash', 'pushed'))
  await terminal.until((screen) => screen.includes('✓ Bash(git push'))
  terminal.press('\u001b')
  expect(await terminal.until((screen) => screen.includes('Members 13'))).toContain('/push · Esc shows all')
})

test('the question of a row is asked whole before it can be answered', async () => {
  const terminal = emulator(80, 24)
  await begin(terminal)
  terminal.press('\t\t\t')
  await terminal.until((screen) => screen.includes('questions that wait for you: 1'))
  terminal.press('\r')
  const screen = await terminal.until((text) => text.includes('Described.'))
  expect(screen).toContain('Question 1 of 1')
})

test('panes that do not fit are counted', async () => {
  const terminal = emulator(80, 24)
  await begin(terminal)
  terminal.press('\u0006')
  expect(await terminal.until((screen) => screen.includes(' more members'))).toContain('7 more members')
})

test('the log follows its end, and a row above stays in place while more comes', async () => {
  const terminal = emulator(80, 24)
  const run = await begin(terminal)
  terminal.press('\u001b[Z')
  await terminal.until((screen) => screen.includes(' lines'))
  run.tell('worker-1', spoken('Nearly there.'))
  await terminal.until((screen) => /▶.*Nearly there/.test(screen))
  terminal.press('g')
  await terminal.until((screen) => /▶.*I ask the workers/.test(screen))
  run.tell('worker-1', spoken('Done with it.'))
  const screen = await terminal.until((text) => text.includes('Done with it.'))
  expect(screen).toMatch(/▶.*I ask the workers/)
  terminal.press('G')
  await terminal.until((screen) => /▶.*Done with it/.test(screen))
})

test('a thousand members are listed, each within reach of its number', async () => {
  const terminal = emulator(80, 24)
  const many = ['lead', ...Array.from({ length: 999 }, (_, n) => `worker-${n + 1}`)]
  const run = stagedRun(many)
  run.tell('worker-700', { type: 'member.woke' }, { type: 'model.requested', turn: 1, model })
  void run.show(terminal)
  await terminal.until((screen) => screen.includes('1 thinking · 999 idle'))
  terminal.press('500')
  await terminal.until((screen) => screen.includes('▶○ worker-499'))
  for (const [columns, rows] of [
    [80, 24],
    [120, 40],
    [200, 60],
  ] as const) {
    terminal.resize(columns, rows)
    await terminal.until(
      (screen) => screen.includes('▶○ worker-499') && screen.split('\n').at(-1)?.includes('running') === true,
    )
    await expect(shown(await terminal.screen())).toMatchFileSnapshot(`../golden/thousand-${columns}x${rows}.txt`)
  }
})

test('Enter on a warning of the log leads to its place in the transcript of its member, and back', async () => {
  const terminal = emulator(80, 24)
  const run = await begin(terminal)
  run.tell('worker-3', spoken('The last words.'), {
    type: 'warning.raised',
    code: 'loop',
    message: 'the same call five times',
  })
  run.tell('worker-3', spoken('Later words.'))
  terminal.press('\u001b[Z')
  await terminal.until((screen) => screen.includes('[Log]') && screen.includes('Later words.'))
  terminal.press('k')
  await terminal.until((screen) => screen.includes('▶') && screen.includes('loop'))
  terminal.press('\r')
  const reading = await terminal.until((screen) => screen.includes('Esc back') && screen.includes('▌'))
  expect(reading.split('\n').find((line) => line.includes('▌'))).toContain('loop')
  terminal.press('\u001b')
  await terminal.until((screen) => screen.includes('[Log]'))
  // The team's journal tells of a crash; it stands in the transcript of the member.
  terminal.press('/')
  await terminal.until((screen) => screen.includes('/▏'))
  terminal.press('crashed')
  await terminal.until((screen) => screen.includes('/crashed') && !screen.includes('Later words.'))
  terminal.press('\r')
  await terminal.until((screen) => screen.includes('/crashed · Esc shows all'))
  terminal.press('\r')
  expect(await terminal.until((screen) => screen.includes('Esc back'))).toMatch(/▌.*worker-11 crashed/)
})
