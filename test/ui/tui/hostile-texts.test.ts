import { join } from 'node:path'
import { expect, test } from 'vitest'
import { approvalFiles } from '../../../src/adapters/approvals/approval-files.ts'
import { sendMail } from '../../../src/runtime/mail/send-mail.ts'
import { question } from '../cli/hostile/hostile-world.ts'
import { everyOrder, leaksIn, orderLine } from '../cli/hostile/terminal-orders.ts'
import { emulator } from './support/emulator.ts'
import { asked, returned, spoken, stagedRun, type StagedRun } from './support/staged-run.ts'

/** What the screen itself tells the terminal. */
const own = new RegExp(
  [
    String.raw`\u001b\[\?1049h\u001b\[\?2004h\u001b\[\?25l\u001b\[\?7l`,
    String.raw`\u001b\[\?1000[hl]\u001b\[\?1006[hl]`,
    String.raw`\u001b\[\?2026h(?:\u001b\[0m\u001b\[H\u001b\[J)?`,
    String.raw`\u001b\[\d+;\d+H\u001b\[\d+X`,
    String.raw`\u001b\[0m`,
    String.raw`\u001b\[\?2026l`,
  ].join('|'),
  'g',
)

const model = everyOrder
const request = { type: 'model.requested', turn: 1, model } as const

async function tellAll(run: StagedRun): Promise<void> {
  const error = everyOrder
  run.tell(
    'lead',
    { type: 'member.woke' },
    asked(everyOrder),
    request,
    spoken(everyOrder, ['c0', orderLine, { [orderLine]: everyOrder }]),
  )
  run.tell('ana', { type: 'member.woke' }, asked(everyOrder), request)
  run.tell(
    'ana',
    spoken(
      `${everyOrder}\n\n# ${everyOrder}\n\n| a | b |\n|-|-|\n| ${orderLine} | x |\n\n\`\`\`ts\n${everyOrder}\n\`\`\`\n`,
      ['c1', 'Bash', { command: everyOrder }],
      ['c2', 'Edit', { file_path: orderLine, old_string: everyOrder, new_string: `${everyOrder}x` }],
    ),
  )
  run.tell('ana', { type: 'call.started', call_id: 'c1', tool: 'Bash' })
  run.tell('ana', {
    type: 'call.finished',
    call_id: 'c1',
    tool: 'Bash',
    is_error: false,
    exit: { code: 1, failed: true },
    duration_ms: 2_300,
  })
  run.tell('ana', returned('c1', 'Bash', everyOrder), returned('c2', 'Edit', everyOrder))
  run.tell('team', { type: 'member.crashed', member: 'bo', error })
  run.tell('team', { type: 'warning.raised', code: orderLine, message: everyOrder })
  const box = approvalFiles(join(run.dir, 'permissions'), () => new Uint8Array(32))
  for (const [n, [tool, input]] of [
    ['Bash', { command: everyOrder }],
    ['AskUser', { question: everyOrder, options: [orderLine, 'no'] }],
    ['ExitPlanMode', { plan: everyOrder }],
    [orderLine, { [orderLine]: everyOrder }],
  ].entries() as IterableIterator<[number, [string, object]]>)
    box.ask(question(`ana-9-${n + 1}`, tool, input, 'ana@demo'))
  await sendMail(run.dir, { to: 'ana@demo', text: everyOrder, home: join(run.cast.cwd, 'home') })
}

function sayAll(run: StagedRun): void {
  for (const type of ['text.delta', 'thinking.delta'] as const) run.say({ type, member: 'cy', text: everyOrder })
  run.say({ type: 'tool.progress', member: 'ana', call_id: 'c1', text: everyOrder })
}

const esc = '\u001b'
/** Keys, and what the screen shows after each: every list, the panes, the transcript, help, search, the questions, a change. */
const walk: readonly (readonly [keys: string, shows: string])[] = [
  ['?', 'the row above'],
  [esc, '[Members'],
  ['\t', '[Board'],
  ['\t', '[Mail'],
  ['\t', '[Approvals'],
  ['\t', '[Cost'],
  ['\t', '[Machine'],
  ['\t', '[Log'],
  ['\t', '[Members'],
  ['2\r', 'ana> '],
  ['\u0005', 'ana> '],
  ['\u0012', 'Enter fold'],
  ['/', '\n/'],
  ['begin\r', 'n N begin'],
  ['v', 'Esc closes'],
  [esc, 'Enter fold'],
  ['q', 'ana> '],
  ['/', '/status'],
  ['\u0015', 'ana> '],
  ['\u0010', 'Question 1 of 4'],
  ['\t', 'Question 2 of 4'],
  ['\t', 'Question 3 of 4'],
  ['\t', 'Question 4 of 4'],
  [esc, 'ana> '],
  ['\u0015', 'ana> ▏'],
  [`\u001b[200~${everyOrder}\u001b[201~`, ' end▏'],
]

test.each([
  [80, 24],
  [200, 60],
])('nothing that others wrote is obeyed anywhere on the screen, %i × %i', async (columns, rows) => {
  const terminal = emulator(columns, rows)
  const run = stagedRun(['lead', 'ana', 'bo', 'cy'])
  await tellAll(run)
  void run.show(terminal, undefined, true)
  await run.listened()
  sayAll(run)
  await terminal.until((screen) => screen.includes('begin'))
  for (const [keys, shows] of walk) {
    terminal.press(keys)
    run.pass(1_000)
    run.say({ type: 'text.delta', member: 'cy', text: `${everyOrder}\n` })
    await terminal.until((screen) => screen.includes(shows))
  }
  expect(leaksIn(terminal.written(), own)).toEqual([])
})
