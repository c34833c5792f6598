import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const door = resolve('test/support/grapheme-terminal.ts')

/** Puts a header into the memory that small buffers share, loads the terminal after it, and tells how far a text goes. */
const program = `
let first
do first = Buffer.allocUnsafe(16)
while (first.byteOffset !== 0)
first.fill(0).writeUInt32LE(Number(process.argv[1]), 8)
const { graphemeTerminal } = await import(${JSON.stringify(door)})
const terminal = graphemeTerminal({ cols: 20, rows: 1 })
terminal.write('日本👩‍👩‍👧🇫🇷.', () => console.log(terminal.buffer.active.cursorX))`

test.for([0, 4_096, 20_000, 4_000_000_000])(
  'wide characters are wide, whatever the shared memory of buffers holds: %i',
  async (size) => {
    const args = ['--input-type=module', '-e', program, `${size}`]
    expect((await promisify(execFile)(process.execPath, args)).stdout).toBe('9\n')
  },
)
