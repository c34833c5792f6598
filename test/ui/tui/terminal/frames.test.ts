import { describe, expect, test } from 'vitest'
import { openCanvas } from '../../../../src/ui/tui/terminal/frames.ts'
import type { Panel } from '../../../../src/ui/tui/state/picture.ts'
import { emulator, type Emulator } from '../support/emulator.ts'

const left: Panel = { x: 0, y: 0, width: 5, height: 3, lines: ['one', '日本', 'three'] }
const right: Panel = { x: 6, y: 0, width: 5, height: 3, lines: ['a', '\u001b[31mb\u001b[39m'] }

function canvasOn(terminal: Emulator) {
  return openCanvas({ stdout: terminal.stdout, onExit: () => () => undefined })
}

/** What was written by `act`, and nothing before. */
async function writtenBy(terminal: Emulator, act: () => void): Promise<string> {
  await terminal.screen()
  const before = terminal.written().length
  act()
  await terminal.screen()
  return terminal.written().slice(before)
}

describe('a canvas', () => {
  test('puts every panel at its place', async () => {
    const terminal = emulator(11, 4)
    canvasOn(terminal).draw([left, right])
    await terminal.until((screen) => screen.includes('three'))
    expect(await terminal.screen()).toEqual(['one   a', '日本  b', 'three', ''])
  })

  test('writes the lines that have changed and nothing else', async () => {
    const terminal = emulator(11, 4)
    const canvas = canvasOn(terminal)
    canvas.draw([left, right])
    await terminal.until((screen) => screen.includes('three'))
    expect(await writtenBy(terminal, () => canvas.draw([left, right]))).toBe('')
    const changed = { ...left, lines: ['one', '本', 'three'] }
    const written = await writtenBy(terminal, () => canvas.draw([changed, right]))
    expect(written).toContain('本')
    expect(written).not.toMatch(/one|three/)
    expect(await terminal.screen()).toEqual(['one   a', '本    b', 'three', ''])
  })

  test('leaves nothing of panels that stand elsewhere now, or of a picture that is forgotten', async () => {
    const terminal = emulator(11, 4)
    const canvas = canvasOn(terminal)
    canvas.draw([left, right])
    canvas.draw([{ ...right, x: 3, y: 1 }])
    await terminal.until((screen) => !screen.includes('one'))
    expect(await terminal.screen()).toEqual(['', '   a', '   b', ''])
    terminal.stdout.write('noise')
    canvas.forget()
    canvas.draw([right])
    await terminal.until((screen) => !screen.includes('noise'))
    expect(await terminal.screen()).toEqual(['      a', '      b', '', ''])
  })

  test('does not let a line that is wider than the terminal thinks move what stands beside it', async () => {
    const terminal = emulator(11, 4)
    const canvas = canvasOn(terminal)
    canvas.draw([{ ...left, lines: ['way too wide'] }, right])
    await terminal.until((screen) => screen.includes('way'))
    expect((await terminal.screen())[0]).toBe('way toa')
  })
})
