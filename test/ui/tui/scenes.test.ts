import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { approvalFiles } from '../../../src/adapters/approvals/approval-files.ts'
import { noUsage } from '../../../src/protocol/conversation/message.ts'
import type { ApprovalFile } from '../../../src/protocol/permissions/approval-file.ts'
import { widthOf } from '../../../src/ui/text/terminal-text.ts'
import { emulator, type Emulator } from './support/emulator.ts'
import { asked, returned, spoken, stagedRun, type StagedRun } from './support/staged-run.ts'

const model = 'scripted/demo.script.yaml'
const usage = { ...noUsage, input: 12_000, output: 345 }
const request = { type: 'model.requested', turn: 2, model } as const
const settled = {
  type: 'model.settled',
  turn: 2,
  model,
  stop: 'tools',
  usage,
  cost_usd: 0.04,
  duration_ms: 10,
} as const

/** A question of ana, as its file has it. */
function ask(run: StagedRun, tool: string, input: object, grants = ['Bash(git push:*)']): void {
  const decision = { behavior: 'ask', source: 'mode', reason: `default mode asks before using ${tool}` } as const
  run.tell('ana', { type: 'member.woke' }, request, settled, spoken('I would like to go on.', ['c1', tool, input]))
  run.tell('ana', { type: 'permission.requested', call_id: 'c1', tool, request: 'ana-9-1', decision, deadline: null })
  const file: ApprovalFile = {
    v: 1,
    id: 'ana-9-1',
    member: 'ana@demo',
    call_id: 'c1',
    tool,
    input,
    task: 'Publish the release.',
    decision,
    near: [{ behavior: 'allow', source: 'local', rule: 'Bash(git push origin main)' }],
    grants: { session: grants, save: grants },
    asked_at: 1,
    deadline: null,
  }
  approvalFiles(join(run.dir, 'permissions'), () => new Uint8Array()).ask(file)
}

/** The question in front, shown to its end, and long enough for an answer. */
async function openQuestion(run: StagedRun, terminal: Emulator): Promise<void> {
  await terminal.until((screen) => screen.includes('? ana'))
  terminal.press('\u0010')
  await terminal.until((screen) => /Question 1 of 1[^]*(asked because|2\. green|Write the release)/.test(screen))
  run.pass(1_000)
}

const paragraph = (name: string): string =>
  `# ${name}\n\nThe **first** of many words, and \`code\` among them, is written `

/** The steps from an empty run to the scene, and the words by which it is seen to be there. */
interface Scene {
  readonly name: string
  readonly member?: string
  readonly shows: string
  stage(run: StagedRun): void
  drive?(run: StagedRun, terminal: Emulator): Promise<void> | void
}

const scenes: readonly Scene[] = [
  {
    name: 'one-member',
    member: 'ana',
    shows: 'def456',
    stage(run) {
      run.tell('ana', { type: 'member.woke' }, asked('Look at the history.'), request, settled)
      run.tell('ana', spoken('I look at it.', ['c1', 'Bash', { command: 'git log --oneline -2' }]))
      run.tell('ana', { type: 'call.started', call_id: 'c1', tool: 'Bash' })
      run.tell('ana', { type: 'call.finished', call_id: 'c1', tool: 'Bash', is_error: false, duration_ms: 2_300 })
      run.tell('ana', returned('c1', 'Bash', 'abc123 first\ndef456 second'))
    },
    drive: (_, terminal) => terminal.press('\u0005'),
  },
  {
    name: 'four-streaming',
    shows: 'is written for dana',
    stage(run) {
      for (const name of ['ana', 'bo', 'cy', 'dana']) run.tell(name, { type: 'member.woke' }, request)
    },
    async drive(run, terminal) {
      terminal.press('\u0006')
      await terminal.until((screen) => screen.includes('lead> '))
      for (const member of ['ana', 'bo', 'cy', 'dana'])
        run.say({ type: 'text.delta', member, text: `${paragraph(member)}for ${member}` })
    },
  },
  {
    name: 'approval',
    shows: 'always allows',
    stage: (run) => ask(run, 'Bash', { command: 'git push origin main --force-with-lease' }),
    drive: openQuestion,
  },
  {
    name: 'edited-approval',
    shows: 'The call as it will run',
    stage: (run) => ask(run, 'Bash', { command: 'git push origin main --force-with-lease' }),
    async drive(run, terminal) {
      await openQuestion(run, terminal)
      terminal.press('e')
      await terminal.until((screen) => screen.includes('allow> '))
      terminal.press('\u0017--dry-run')
      await terminal.until((screen) => screen.includes('--dry-run'))
    },
  },
  {
    name: 'ask-user',
    shows: '2. green',
    stage: (run) => ask(run, 'AskUser', { question: 'Which colour shall it have?', options: ['red', 'green'] }, []),
    drive: openQuestion,
  },
  {
    name: 'plan',
    shows: 'proposes a plan',
    stage: (run) => ask(run, 'ExitPlanMode', { plan: '# Plan\n\n1. Read the notes.\n2. Write the release.' }, []),
    drive: openQuestion,
  },
  {
    name: 'failure',
    shows: 'exit 1',
    stage(run) {
      run.tell('ana', { type: 'member.woke' }, request, settled, spoken('', ['c1', 'Bash', { command: 'npm test' }]))
      run.tell('ana', { type: 'call.started', call_id: 'c1', tool: 'Bash' })
      const ending = { call_id: 'c1', tool: 'Bash', is_error: false, exit: { code: 1, failed: true } } as const
      run.tell('ana', { type: 'call.finished', ...ending, duration_ms: 2_300 })
      const content = [{ type: 'text', text: '3 passed\n1 failed: adds numbers\n[exit 1]' }] as const
      const results = [{ ...ending, content: [...content] }]
      run.tell('ana', { type: 'message.appended', message: { role: 'tool', results } })
      run.tell('team', { type: 'member.crashed', member: 'bo', error: 'exit code 137' })
    },
    drive: (_, terminal) => terminal.press('2'),
  },
  {
    name: 'late-attach',
    member: 'ana',
    shows: 'to its end',
    stage(run) {
      run.tell('ana', { type: 'member.woke' }, asked('Write.'), request)
      run.say({ type: 'text.delta', member: 'ana', text: paragraph('Begun before anybody looked') })
    },
    async drive(run) {
      await run.listened()
      run.say({ type: 'text.delta', member: 'ana', text: 'to its end' })
    },
  },
]

const sizes = [
  [80, 24],
  [120, 40],
  [200, 60],
] as const

test('the list of permission modes at 80 × 24', async () => {
  const terminal = emulator(80, 24)
  const run = stagedRun(['lead', 'ana', 'bo'])
  void run.show(terminal, 'ana')
  await terminal.until((screen) => screen.includes('running'))
  terminal.press('/mode\r')
  await terminal.until((screen) => screen.includes('The permission mode of ana'))
  await expect(`${(await terminal.screen()).join('\n')}\n`).toMatchFileSnapshot('golden/modes-80x24.txt')
  // What is chosen goes to the command of that name.
  terminal.press('3')
  await terminal.until((screen) => screen.includes('mode: ran: mode'))
})

describe.each(scenes)('$name', ({ name, member, shows, stage, drive }) => {
  test.each(sizes)('at %i × %i', async (columns, rows) => {
    const terminal = emulator(columns, rows)
    const run = stagedRun(['lead', 'ana', 'bo', 'cy', 'dana'])
    stage(run)
    void run.show(terminal, member, true)
    await terminal.until((screen) => screen.includes('running'))
    await drive?.(run, terminal)
    await terminal.until((screen) => screen.includes(shows))
    const screen = await terminal.screen()
    for (const line of screen) expect(widthOf(line)).toBeLessThanOrEqual(columns)
    await expect(`${screen.join('\n')}\n`).toMatchFileSnapshot(`golden/${name}-${columns}x${rows}.txt`)
  })
})
