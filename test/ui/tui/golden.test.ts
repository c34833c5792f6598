import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { widthOf } from '../../../src/ui/text/terminal-text.ts'
import { noUsage } from '../../../src/protocol/conversation/message.ts'
import { emulator, type Emulator } from './support/emulator.ts'
import { asked, returned, spoken, stagedRun, type StagedRun } from './support/staged-run.ts'

const family = '👩‍👩‍👧'
const command = 'git log --oneline -5'
const usage = { ...noUsage, input: 12_000, output: 345 }

/** Three members in the middle of their work, in three scripts, with what somebody would like to do to a terminal. */
function atWork(run: StagedRun): void {
  const request = { type: 'model.requested', turn: 1, model: 'scripted/demo.script.yaml' } as const
  const settled = { type: 'model.settled', turn: 1, model: request.model, stop: 'tools', usage } as const
  run.tell('lead', { type: 'member.woke' }, asked('Write the notes. リリースノートを書いてください。'), request)
  run.tell('lead', { ...settled, cost_usd: 0.0423, duration_ms: 10 }, spoken('I ask the others first.'))
  run.tell('lead', { type: 'agent.parked', turn: 1 })
  run.tell('historian', { type: 'member.woke' }, request, { ...settled, cost_usd: 0.2, duration_ms: 10 })
  run.tell('historian', spoken('', ['c1', 'Bash', { command }], ['c2', 'Read', { file_path: '/文書/計画.md' }]))
  run.tell('historian', { type: 'call.started', call_id: 'c1', tool: 'Bash' })
  run.tell('historian', { type: 'call.finished', call_id: 'c1', tool: 'Bash', is_error: false, duration_ms: 2_300 })
  run.tell('historian', { type: 'call.started', call_id: 'c2', tool: 'Read' })
  run.tell('writer', { type: 'member.woke' }, asked('Wait for the history.'), request)
}

/** What they are writing just now. */
function writing(run: StagedRun): void {
  const evil = '\u001b[2J\u001b]0;title\u0007\u202egnorw\u202c\r'
  run.say({ type: 'tool.progress', member: 'historian', call_id: 'c2', text: `reading ${evil}page 7\n` })
  run.say({ type: 'text.delta', member: 'writer', text: `# 変更点 ${family} 🇫🇷\n\nこの版では、検索が速くなり、 ` })
  run.say({ type: 'text.delta', member: 'writer', text: 'and that is **not** all there is to tell ✅' })
}

/** Shows all panes side by side. */
function showPanes(run: StagedRun, terminal: Emulator): void {
  void run.show(terminal)
  terminal.press('\u0006')
}

async function begin(terminal: Emulator): Promise<StagedRun> {
  const run = stagedRun(['lead', 'historian', 'writer'])
  atWork(run)
  showPanes(run, terminal)
  await run.listened()
  writing(run)
  await terminal.until((screen) => screen.includes('tell ✅') && screen.includes('page 7'))
  return run
}

/** Every line keeps its panes apart at the same columns. */
function expectStraight(screen: readonly string[], columns: number): void {
  for (const line of screen) expect(widthOf(line)).toBeLessThanOrEqual(columns)
}

const shown = (screen: readonly string[]): string => `${screen.join('\n')}\n`

describe.each([
  [80, 24],
  [200, 60],
])('%i × %i', (columns, rows) => {
  test('shows a team at work', async () => {
    const terminal = emulator(columns, rows)
    await begin(terminal)
    const screen = await terminal.screen()
    expectStraight(screen, columns)
    await expect(shown(screen)).toMatchFileSnapshot(`golden/team-${columns}x${rows}.txt`)
  })

  test('is the same after it was resized, however often', async () => {
    const [terminal, untouched] = [emulator(columns, rows), emulator(columns, rows)]
    const run = await begin(terminal)
    showPanes(run, untouched)
    await untouched.until((screen) => screen.includes('Write the notes'))
    const sizes = [
      [40, 12],
      [columns + 30, rows + 10],
      [columns, 9],
      [24, rows],
      [columns, rows],
    ] as const
    for (const [wide, high] of sizes) {
      terminal.resize(wide, high)
      run.say({ type: 'text.delta', member: 'writer', text: '.' })
    }
    // Pieces that came after their message would stand below it: they have nothing to do with the journal.
    await Promise.all([terminal, untouched].map(({ until }) => until((screen) => screen.includes('.....'))))
    run.tell('writer', spoken('# 完了\n\nDone.'))
    await Promise.all([terminal, untouched].map(({ until }) => until((screen) => screen.includes('Done.'))))
    run.tell('historian', returned('c1', 'Bash', 'abc123 first'), spoken('One commit.'))
    await Promise.all([terminal, untouched].map(({ until }) => until((screen) => screen.includes('One commit.'))))
    // The progress that one of the two heard is not in the journal.
    run.tell('historian', returned('c2', 'Read', '計画'))
    await Promise.all([terminal, untouched].map(({ until }) => until((screen) => screen.includes('✓ Read'))))
    // The last frame of one of the two may come a moment later than that of the other.
    await expect.poll(async () => isDeepStrictEqual(await terminal.screen(), await untouched.screen())).toBe(true)
    await expect(shown(await terminal.screen())).toMatchFileSnapshot(`golden/resized-${columns}x${rows}.txt`)
  })
})

test('one member alone, its calls unfolded', async () => {
  const terminal = emulator(80, 24)
  const run = stagedRun(['lead', 'historian', 'writer'])
  atWork(run)
  void run.show(terminal, 'historian')
  await run.listened()
  run.tell('historian', returned('c1', 'Bash', 'abc123 first\ndef456 second'))
  terminal.press('\u0005')
  await terminal.until((screen) => screen.includes('def456 second'))
  await expect(shown(await terminal.screen())).toMatchFileSnapshot('golden/unfolded-80x24.txt')
})

test('while it is smaller than anything fits in, it stands, and comes back', async () => {
  const terminal = emulator(80, 24)
  await begin(terminal)
  terminal.resize(7, 2)
  await terminal.until((screen) => !screen.includes('historian'))
  terminal.resize(80, 24)
  await terminal.until((screen) => screen.includes('historian'))
  await expect(shown(await terminal.screen())).toMatchFileSnapshot('golden/team-80x24.txt')
})

test('nothing that members write is obeyed by the terminal', async () => {
  const terminal = emulator(80, 24)
  await begin(terminal)
  expect(terminal.written()).not.toMatch(/\u001b\[2J|\u001b\]|\u0007|\u202e/)
})

test('a terminal that counts emoji otherwise tears the lines they are in, and no other', async () => {
  const [modern, old] = [emulator(80, 24), emulator(80, 24, true)]
  await Promise.all([begin(modern), begin(old)])
  const [right, wrong] = [await modern.screen(), await old.screen()]
  const torn = right.filter((line, n) => line !== wrong[n])
  expect(torn.filter((line) => !/\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(line))).toEqual([])
})

test('it is left as it was found: wrapping, cursor and the other screen', async () => {
  const terminal = emulator(80, 24)
  const run = stagedRun(['lead', 'historian', 'writer'])
  const left = run.show(terminal)
  await run.listened()
  terminal.press('\u0011')
  await left
  for (const [set, reset] of [
    ['?7l', '?7h'],
    ['?1049h', '?1049l'],
    ['?25l', '?25h'],
  ] as const) {
    expect(terminal.written().lastIndexOf(`\u001b[${reset}`)).toBeGreaterThan(
      terminal.written().lastIndexOf(`\u001b[${set}`),
    )
  }
})
