import { constants, openSync } from 'node:fs'
import { ReadStream } from 'node:tty'
import { fc } from '@fast-check/vitest'
import { expect, onTestFinished, test } from 'vitest'
import { question } from '../../contracts/approver.ts'
import { dialogTerminal } from './dialog-terminal.ts'

const pty = await import('@lydell/node-pty').catch(() => null)
if (!pty) console.warn('skipped: keys of a real terminal need the optional package @lydell/node-pty')

/** Both ends of a real pseudo-terminal: a program's input, and the keys of a person. A sleeper keeps it open. */
async function keyedTerminal() {
  if (!pty) throw new Error('no pseudo-terminal')
  const sleeper = pty.spawn('/bin/sh', ['-c', 'tty; exec sleep 600'], { cols: 80, rows: 24 })
  onTestFinished(() => sleeper.kill('SIGKILL'))
  const path = await new Promise<string>((resolve) => sleeper.onData((text) => resolve(text.trim())))
  const input = new ReadStream(openSync(path, constants.O_RDWR | constants.O_NOCTTY))
  onTestFinished(() => void input.destroy())
  return { input, press: (text: string) => sleeper.write(text) }
}

/** One question of a storm. */
interface Asked {
  /** Typed before it is drawn, with the terminal as it is between two questions. */
  readonly early: string
  /** Typed while it stands. */
  readonly late: string
  /** Withdrawn after `late`; else it is answered. */
  readonly withdrawn: boolean
}

const letters = fc.string({ unit: fc.constantFrom('o', 's', 'a', 'x', ' ', '\u007f', '日'), maxLength: 4 })
const lines = fc.string({ unit: fc.constantFrom('o', 'a', 's', '\r', 'x', '\u0015'), maxLength: 8 })
const storm: fc.Arbitrary<readonly Asked[]> = fc.array(
  fc.record({ early: lines, late: letters, withdrawn: fc.boolean() }),
  { minLength: 1, maxLength: 5 },
)

test.skipIf(!pty)('of a real terminal no key counts that was typed before its question was drawn', async () => {
  const { input, press } = await keyedTerminal()
  const drawn = new Map<string, PromiseWithResolvers<void>>()
  const terminal = dialogTerminal({
    input,
    describe: async ({ call }) => {
      await drawn.get(call.id)?.promise
      return call.id
    },
  })
  let asked = 0
  await fc.assert(
    fc.asyncProperty(storm, async (questions) => {
      for (const { early, late, withdrawn } of questions) {
        const asking = question(`command ${(asked += 1)}`)
        drawn.set(asking.call.id, Promise.withResolvers())
        const stop = new AbortController()
        const answer = terminal.approver.answer(asking, stop.signal)
        press(early)
        drawn.get(asking.call.id)?.resolve()
        expect((await terminal.prompted())[1]).toBe('> ▏')
        press(late)
        if (withdrawn) stop.abort(new Error('withdrawn'))
        // With a letter of earlier times before it, this line would be another one.
        else press(`\u007f\u007f\u007f\u007fd tag-${asked}\r`)
        const given = await answer.then(
          ({ behavior, reason }) => `${behavior}: ${reason}`,
          (error: unknown) => String(error),
        )
        expect(given).toBe(withdrawn ? 'Error: withdrawn' : `deny: tag-${asked}`)
        expect(terminal.foot()).toBeNull()
      }
    }),
    { numRuns: 60 },
  )
  await terminal.approver.close()
})
