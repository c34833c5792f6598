import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { openKeyboard } from '../../../../src/ui/tui/terminal/keyboard.ts'

/** A keyboard whose strokes are kept by name, pasted text in brackets. */
function keyboard() {
  const stdin = new PassThrough()
  const names: string[] = []
  const modes: boolean[] = []
  const close = openKeyboard(Object.assign(stdin, { setRawMode: (raw: boolean) => modes.push(raw) }), {
    pressed: ({ name, text }) => void names.push(text === '' ? name : `'${text}'`),
    pasted: (text) => void names.push(`[${text}]`),
    pointed: ({ does, x, y }) => void names.push(`${does} ${x},${y}`),
  })
  return { stdin, names, modes, close }
}

test.each([
  ['\r', ['Enter']],
  ['\u001b\r', ['Alt+Enter']],
  ['\t', ['Tab']],
  ['\u001b[Z', ['Shift+Tab']],
  ['\u007f', ['Backspace']],
  ['\b', ['Backspace']],
  ['\u001b[3~', ['Delete']],
  ['\u001b[A\u001b[B\u001b[C\u001b[D', ['Up', 'Down', 'Right', 'Left']],
  ['\u001bOA\u001bOB', ['Up', 'Down']],
  ['\u001b[1;3A', ['Alt+Up']],
  ['\u001b[H\u001b[F\u001b[1~\u001b[4~\u001b[7~\u001b[8~', ['Home', 'End', 'Home', 'End', 'Home', 'End']],
  ['\u001b[5~\u001b[6~', ['PageUp', 'PageDown']],
  ['\u0018\u0013\u0003', ['Ctrl+X', 'Ctrl+S', 'Ctrl+C']],
  ['\u001ba', ['Alt+a']],
  ['A', ["'A'"]],
  // Esc right before another key.
  ['\u001b\u0003', ['Esc', 'Ctrl+C']],
  ['\u001b\u001b\u0012', ['Esc', 'Esc', 'Ctrl+R']],
  ['\u001b\u001b', ['Esc', 'Esc']],
  ['\n', ["'\n'"]],
  ['日本', ["'日本'"]],
  ['👩‍👩‍👧', ["'👩‍👩‍👧'"]],
  // Keys told by their number.
  ['\u001b[97u', ["'a'"]],
  ['\u001b[115;5u', ['Ctrl+S']],
  ['\u001b[13;3u', ['Alt+Enter']],
  ['\u001b[9;2u', ['Shift+Tab']],
  ['\u001b[27u', ['Esc']],
  ['\u001b[127u', ['Backspace']],
  // Sequences without a meaning, and controls that type nothing.
  ['\u001b[I\u001bOP\u001b[15~\u001c.', ["'.'"]],
  // The mouse: pressed, let go, another button, the wheel, and keys between.
  ['\u001b[<0;1;1M\u001b[<0;1;1ma\u001b[<2;3;4M', ['click 0,0', "'a'"]],
  ['hi\u001b[<64;200;60M\u001b[<65;7;8M\r', ["'hi'", 'wheel_up 199,59', 'wheel_down 6,7', 'Enter']],
  // Together, as on a slow line.
  ['hi\u0013x\r\u007f', ["'hi'", 'Ctrl+S', "'x'", 'Enter', 'Backspace']],
])('%j is %j', async (bytes, names) => {
  const { stdin, names: heard } = keyboard()
  stdin.write(bytes)
  await expect.poll(() => heard).toEqual(names)
})

test('text that is pasted comes whole, with its lines, over several reads, and presses nothing', async () => {
  const { stdin, names } = keyboard()
  stdin.write('a\u001b[200~one\r')
  stdin.write('two\u0003\ttab\n')
  stdin.write('three\u001b[20')
  stdin.write('1~b')
  await expect.poll(() => names).toEqual(["'a'", '[one\rtwo\u0003\ttab\nthree]', "'b'"])
})

test.each([
  ['marked, in one read', ['\u001b[200~a\u001b[201~b'], ['[a]', "'b'"]],
  ['with its opening mark in two reads', ['x\u001b[20', '0~one two\u001b[201~b'], ["'x'", '[one two]', "'b'"]],
  ['with its closing mark in two reads', ['\u001b[200~one\u001b', '[201~', 'b'], ['[one]', "'b'"]],
  ['twice', ['\u001b[200~a\u001b[201~\u001b[200~b\u001b[201~'], ['[a]', '[b]']],
  ['unmarked, with its lines', [`${'x'.repeat(63)}\r\n`], [`[${'x'.repeat(63)}\r\n]`]],
  ['as many keys, one of them a command', [`${'x'.repeat(64)}\u0013`], [`'${'x'.repeat(64)}'`, 'Ctrl+S']],
])('what is pasted %s', async (_, reads, names) => {
  const { stdin, names: heard } = keyboard()
  for (const read of reads) stdin.write(read)
  await expect.poll(() => heard).toEqual(names)
})

test.each([
  ['marked', '\u001b[200~', '\u001b[201~', 1],
  ['unmarked', '', '', 256],
])('a megabyte that is pasted %s is no megabyte of keys', async (_, begin, end, most) => {
  const { stdin, names } = keyboard()
  const text = 'A line of it, 日本.\n'.repeat(50_000)
  const bytes = Buffer.from(begin + text + end)
  for (let at = 0; at < bytes.length; at += 4_096) stdin.write(bytes.subarray(at, at + 4_096))
  await expect.poll(() => names.map((name) => name.slice(1, -1)).join('').length).toBe(text.length)
  expect(names.map((name) => name.slice(1, -1)).join('')).toBe(text)
  expect(names.length).toBeLessThanOrEqual(most + 40)
})

test('an escape alone is the Esc key, one that goes on in the next read begins a sequence', async () => {
  const { stdin, names } = keyboard()
  stdin.write('\u001b')
  await expect.poll(() => names).toEqual(['Esc'])
  stdin.write('\u001b')
  stdin.write('[A')
  await expect.poll(() => names).toEqual(['Esc', 'Up'])
})

test('a character that is cut between two reads is one', async () => {
  const { stdin, names } = keyboard()
  const bytes = Buffer.from('é')
  stdin.write(bytes.subarray(0, 1))
  stdin.write(bytes.subarray(1))
  await expect.poll(() => names).toEqual(["'é'"])
})

test('the terminal is raw while it is heard, and hears nothing afterwards', async () => {
  const { stdin, names, modes, close } = keyboard()
  stdin.write('a')
  await expect.poll(() => names).toEqual(["'a'"])
  close()
  stdin.write('b')
  expect([modes, stdin.isPaused(), names]).toEqual([[true, false], true, ["'a'"]])
})
