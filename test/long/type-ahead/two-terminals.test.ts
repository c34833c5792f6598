import fc from 'fast-check'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { answerApproval, pendingApprovals } from '../../../src/runtime/runs/answer-approval.ts'
import { onTerminal, pty } from '../../ui/cli/process/on-terminal.ts'
import { onlyRun, troupe } from '../../ui/cli/process/troupe.ts'
import { askingTeam, decisionsIn, signsIn } from './asking-team.ts'
import { explains, watchedTerminal, type WatchedTerminal } from './watched-terminal.ts'

const at = fc.constantFrom('run', 'attach')
const keys = fc.array(fc.constantFrom('digit', 'sign', 'enter', 'yes', 'no', 'next'), { minLength: 1, maxLength: 3 })
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ keys, at }) },
  { weight: 2, arbitrary: fc.record({ withdraws: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ comes: at }) },
)
const last = fc.oneof(
  { weight: 10, arbitrary: fc.record({ answersAt: at }) },
  { weight: 1, arbitrary: fc.constant({ command: true }) },
)
/** Keys, questions that others answer, and waiting for the next one; in the end a person or a command answers. */
const history = fc.tuple(fc.array(step, { minLength: 2, maxLength: 6 }), last)

/** Each sign is typed once in a run: an answer shows which keys made it. */
function keysFor(terminal: WatchedTerminal, signs: () => string) {
  let digit = 0
  return (kind: string): string => {
    if (kind === 'digit') return `${(digit++ % 9) + 1}`
    if (kind === 'enter') return '\r'
    if (kind === 'yes') return terminal.face === 'run' ? 'o' : 'a'
    if (kind === 'no') return terminal.face === 'run' ? 'd ' : 'd'
    return kind === 'next' ? '\t' : signs()
  }
}

/** The question in front of a person, and the line that is typed below. */
const frontOf = (screen: string) => ({
  sign: signsIn(screen).at(-1),
  line: /> ?(.*)▏/.exec(screen)?.[1],
})

async function stage() {
  const cwd = askingTeam()
  const one = onTerminal(cwd, ['run', 'asking', 'Go.', '--trust'], [110, 40])
  await one.until((screen) => screen.includes('▏'))
  const other = onTerminal(cwd, ['attach'], [110, 40])
  await other.until((screen) => screen.includes('3 asking'))
  const dir = onlyRun(cwd)
  const terminals = { run: watchedTerminal('run', one), attach: watchedTerminal('attach', other) }
  let typed = 0
  const signs = (): string => String.fromCodePoint(0x4e00 + typed++)
  const makers = { run: keysFor(terminals.run, signs), attach: keysFor(terminals.attach, signs) }
  const pending = () =>
    pendingApprovals([dir]).map(({ request }) => ({ id: request.id, text: JSON.stringify(request) }))
  const waits = (sign: string | undefined): boolean =>
    sign !== undefined && pending().some(({ text }) => text.includes(sign))

  /** Brings the next question to the front of a person who looks. */
  const comes = async (terminal: WatchedTerminal): Promise<string> => {
    for (;;) {
      const screen = await terminal.look()
      const { sign } = frontOf(screen)
      const shows = terminal.face === 'run' || /Question \d+ of/.test(screen)
      if (shows && sign !== undefined && waits(sign)) return sign
      if (!shows && pending().length > 0) await terminal.type('\u0010')
      await pause(20)
    }
  }
  /** The line as a person sees it below a question that waits; null when somebody else was faster. */
  const typesAt = async (terminal: WatchedTerminal): Promise<{ sign: string; line: string } | null> => {
    for (;;) {
      const sign = await comes(terminal)
      const word = signs()
      const isCall = Number(/\d+/.exec(sign)?.[0]) % 3 === 2
      const begins = frontOf(await terminal.look()).line
      // A key that is not heard yet, since its question has just come, is pressed again.
      if (terminal.face === 'run') await terminal.type('\u0015')
      if (isCall && (terminal.face === 'run' || begins === undefined)) await terminal.type(makers[terminal.face]('no'))
      await terminal.type(word)
      for (let looks = 0; looks < 20; looks += 1) {
        const now = frontOf(await terminal.look())
        if (!waits(sign)) return null
        if (now.sign === sign && now.line?.endsWith(word)) return { sign, line: now.line }
        await pause(15)
      }
    }
  }
  return { cwd, dir, one, other, terminals, makers, pending, waits, comes, typesAt }
}

/** Plays histories in one run, each with what was answered in it by lines that were read before Enter was pressed. */
async function play(histories: readonly (typeof history extends fc.Arbitrary<infer Value> ? Value : never)[]) {
  const { cwd, dir, one, other, terminals, makers, pending, waits, comes, typesAt } = await stage()
  const answered: { sign: string; face: string; line: string }[] = []
  for (const [steps, end] of histories) {
    for (const each of steps) {
      if ('keys' in each) await terminals[each.at as 'run'].type(each.keys.map(makers[each.at as 'run']).join(''))
      else if ('comes' in each) await comes(terminals[each.comes as 'run'])
      else {
        const open = pending()
        const id = open[each.withdraws % Math.max(1, open.length)]?.id
        if (id) answerApproval(dir, id, { behavior: 'allow', advice: 'elsewhere', by: 'elsewhere', home: cwd })
      }
    }
    if ('command' in end) {
      const sign = await comes(terminals.attach)
      const id = pending().find(({ text }) => text.includes(sign))?.id
      if (id) await troupe(cwd, ['permissions', 'answer', id, 'allow'])
      continue
    }
    const terminal = terminals[end.answersAt as 'run']
    const line = await typesAt(terminal)
    if (line === null) continue
    await terminal.type('\r')
    while (waits(line.sign)) await pause(10)
    answered.push({ ...line, face: terminal.face })
  }
  for (const terminal of [terminals.run, terminals.attach]) await terminal.look()
  other.press('\u0003')
  await other.ended
  one.signal('SIGTERM')
  await one.ended
  return { terminals, answered, decisions: decisionsIn(dir) }
}

const faces: Readonly<Record<string, 'run' | 'attach'>> = {
  'the approver of the run': 'run',
  'troupe attach': 'attach',
}

test.skipIf(!pty)(
  'in two hundred histories of run and attach no key decides a question that it came before, and each seen answer counts',
  async () => {
    const all = fc.sample(history, 200)
    const runs = await Promise.all([0, 1, 2, 3].map((n) => play(all.slice(n * 50, (n + 1) * 50))))
    const counts = { run: 0, attach: 0, elsewhere: 0, lines: 0 }
    for (const { terminals, answered, decisions } of runs) {
      for (const decided of decisions) {
        const face = faces[decided.by]
        counts[face ?? 'elsewhere'] += 1
        const explained = face === undefined || explains(terminals[face], decided)
        expect({ ...decided, explained }).toMatchObject({ explained: true })
      }
      for (const { sign, face, line } of answered) {
        const decided = decisions.find((each) => each.sign === sign)
        if (faces[decided?.by ?? ''] !== face) continue
        counts.lines += 1
        expect({ sign, said: decided?.reason.replaceAll(' ', '') }).toEqual({
          sign,
          said: line.replace(/^d /, '').replaceAll(' ', ''),
        })
      }
    }
    expect(Math.min(counts.run, counts.attach, counts.lines)).toBeGreaterThan(25)
  },
)
