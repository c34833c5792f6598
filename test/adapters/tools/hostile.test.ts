import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { getuid } from 'node:process'
import { describe, expect, test } from 'vitest'
import { resolveReal } from '../../../src/adapters/fs/resolve-real.ts'
import { bash } from '../../../src/adapters/tools/shell/bash.ts'
import { edit } from '../../../src/adapters/tools/files/edit.ts'
import { glob } from '../../../src/adapters/tools/search/glob.ts'
import { grep } from '../../../src/adapters/tools/search/grep.ts'
import { ls } from '../../../src/adapters/tools/search/ls.ts'
import { multiEdit } from '../../../src/adapters/tools/files/multi-edit.ts'
import { read } from '../../../src/adapters/tools/files/read.ts'
import { write } from '../../../src/adapters/tools/files/write.ts'
import { workshop } from './workshop.ts'

/*
 * Inputs of hostile or merely unlucky make. Each must end with a clear result, hang nothing, and touch nothing outside
 * of what was permitted.
 */

const shop = workshop()
const isRoot = getuid?.() === 0

/** A context in which these paths were permitted as they lead now. */
function permitted(...names: readonly string[]) {
  return shop.context({ led: new Map(names.map((name) => [shop.path(name), resolveReal(shop.path(name))])) })
}

/** What lies outside, which nobody may touch. */
function outside(): string {
  mkdirSync(shop.path('outside'))
  return shop.write('outside/secret.txt', 'secret')
}

describe('a path that leads elsewhere after it was permitted', () => {
  test('1 a file that became a link is not read', async () => {
    const secret = outside()
    shop.write('in/a.txt', 'mine')
    const context = permitted('in/a.txt')
    unlinkSync(shop.path('in/a.txt'))
    symlinkSync(secret, shop.path('in/a.txt'))
    const output = await shop.call(read, { file_path: 'in/a.txt' }, context)
    expect(output).toMatchObject({ isError: true, text: expect.stringContaining('was not touched') as string })
    expect(output.text).not.toContain('     1\tsecret')
  })

  test('2 a directory above it that became a link is not read through', async () => {
    outside()
    shop.write('in/secret.txt', 'mine')
    const context = permitted('in/secret.txt')
    renameSync(shop.path('in'), shop.path('was'))
    symlinkSync(shop.path('outside'), shop.path('in'))
    expect((await shop.call(read, { file_path: 'in/secret.txt' }, context)).text).toContain('was not touched')
  })

  test('3 a file that became a link is not written through', async () => {
    const secret = outside()
    await shop.known('in/a.txt', 'mine')
    const context = permitted('in/a.txt')
    unlinkSync(shop.path('in/a.txt'))
    symlinkSync(secret, shop.path('in/a.txt'))
    expect((await shop.call(write, { file_path: 'in/a.txt', content: 'evil' }, context)).isError).toBe(true)
    expect(readFileSync(secret, 'utf8')).toBe('secret')
  })

  test('4 a new file is not created through a directory that became a link', async () => {
    outside()
    mkdirSync(shop.path('in'))
    const context = permitted('in/new.txt')
    renameSync(shop.path('in'), shop.path('was'))
    symlinkSync(shop.path('outside'), shop.path('in'))
    expect((await shop.call(write, { file_path: 'in/new.txt', content: 'evil' }, context)).isError).toBe(true)
    expect(readdirSync(shop.path('outside'))).toEqual(['secret.txt'])
  })

  test('5 missing directories are not made through a link that appeared', async () => {
    outside()
    const context = permitted('in/deep/new.txt')
    symlinkSync(shop.path('outside'), shop.path('in'))
    expect((await shop.call(write, { file_path: 'in/deep/new.txt', content: 'evil' }, context)).isError).toBe(true)
    expect(readdirSync(shop.path('outside'))).toEqual(['secret.txt'])
  })

  test('6 a link where nothing was is not followed on creation', async () => {
    outside()
    mkdirSync(shop.path('in'))
    const context = permitted('in/new.txt')
    symlinkSync(shop.path('outside/created.txt'), shop.path('in/new.txt'))
    await shop.call(write, { file_path: 'in/new.txt', content: 'evil' }, context)
    expect(existsSync(shop.path('outside/created.txt'))).toBe(false)
  })

  test('7 a directory that became a link is not listed', async () => {
    outside()
    mkdirSync(shop.path('in'))
    const context = permitted('in')
    rmSync(shop.path('in'), { recursive: true })
    symlinkSync(shop.path('outside'), shop.path('in'))
    const output = await shop.call(ls, { path: 'in' }, context)
    expect(output.isError).toBe(true)
    expect(output.text).not.toContain('secret.txt')
  })

  test('8 a race of links and directories never lets a write out', async () => {
    outside()
    shop.write('mine/keep', '')
    symlinkSync(shop.path('mine'), shop.path('gate'))
    const flip = beside('i=0; while [ $i -lt 60 ]; do ln -sfn outside gate; ln -sfn mine gate; i=$((i+1)); done')
    let tries = 0
    for (; flip.running() || tries < 50; tries += 1) {
      const led = new Map([[shop.path(`gate/f${tries}`), shop.path(`mine/f${tries}`)]])
      await shop.call(write, { file_path: `gate/f${tries}`, content: 'x' }, shop.context({ led }))
    }
    await flip.ended
    expect(readdirSync(shop.path('outside'))).toEqual(['secret.txt'])
    expect(readdirSync(shop.path('mine')).filter((name) => name.endsWith('.tmp'))).toEqual([])
    expect(tries).toBeGreaterThan(10)
  })
})

describe('two who change one file', () => {
  const twoMembers = async () => {
    await shop.known('a.txt', 'one\ntwo\nthree\n')
    const other = shop.context({ memory: new Map() })
    await shop.call(read, { file_path: 'a.txt' }, other)
    return other
  }

  test('9 the second learns what the first has changed, and nothing is lost', async () => {
    const other = await twoMembers()
    await shop.call(edit, { file_path: 'a.txt', old_string: 'two', new_string: '2' }, other)
    const output = await shop.call(edit, { file_path: 'a.txt', old_string: 'three', new_string: '3' })
    expect(output.isError).toBe(true)
    expect(output.text).toContain('was changed since you read it')
    expect(output.text).toContain('Line 2 was replaced by:\n     2\t2')
    expect(shop.read('a.txt')).toBe('one\n2\nthree\n')
  })

  test('10 at the same moment exactly one of them wins', async () => {
    const other = await twoMembers()
    const [mine, theirs] = await Promise.all([
      shop.call(write, { file_path: 'a.txt', content: 'mine' }),
      shop.call(write, { file_path: 'a.txt', content: 'theirs' }, other),
    ])
    expect(mine.isError).not.toBe(theirs.isError)
    expect(shop.read('a.txt')).toBe(mine.isError ? 'theirs' : 'mine')
  })

  test('11 twenty who create the same file: one creates it', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        shop.call(write, { file_path: 'new.txt', content: `${i}` }, shop.context({ memory: new Map() })),
      ),
    )
    expect(all.filter(({ isError }) => !isError)).toHaveLength(1)
    expect(readdirSync(shop.dir)).toEqual(['new.txt'])
  })
})

describe('what is no plain file', () => {
  test('12 a pipe that nobody writes to', async () => {
    shop.pipe('pipe')
    const file_path = 'pipe'
    expect(await shop.call(read, { file_path })).toMatchObject({ isError: true })
    expect(await shop.call(write, { file_path, content: 'x' })).toMatchObject({ isError: true })
    expect(await shop.call(edit, { file_path, old_string: 'a', new_string: 'b' })).toMatchObject({ isError: true })
    expect(lstatSync(shop.path('pipe')).isFIFO()).toBe(true)
  })

  test('13 /dev/zero, /dev/tty, /proc/self/mem', async () => {
    for (const file_path of ['/dev/zero', '/dev/tty', '/proc/self/mem']) {
      const { text } = await shop.call(read, { file_path })
      expect(text).toMatch(/not a regular file|does not exist|denied|ENXIO|I\/O|binary|empty|EIO|ENODEV/)
    }
  })

  test('14 a file of /proc that says it is empty', async () => {
    expect((await shop.call(read, { file_path: '/proc/self/status' })).text).toContain('Name:')
  })

  test('15 a circle of links', async () => {
    symlinkSync('b', shop.path('a'))
    symlinkSync('a', shop.path('b'))
    expect((await shop.call(read, { file_path: 'a' })).text).toContain('circle')
    expect((await shop.call(write, { file_path: 'a', content: 'x' })).isError).toBe(true)
  })

  test('16 a directory in the place of a file, a file in the place of a directory', async () => {
    mkdirSync(shop.path('dir'))
    shop.write('file', 'x')
    expect((await shop.call(write, { file_path: 'dir', content: 'x' })).text).toContain('is a directory')
    expect((await shop.call(write, { file_path: 'file/below', content: 'x' })).text).toContain(
      'is a file, not a directory',
    )
    expect((await shop.call(ls, { path: 'file' })).text).toContain('is not a directory')
    expect((await shop.call(glob, { pattern: '*', path: 'file' })).text).toContain('is not a directory')
  })

  test('17 a socket', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(shop.path('socket'), resolve))
    expect((await shop.call(read, { file_path: 'socket' })).isError).toBe(true)
    expect((await shop.call(grep, { pattern: 'x', path: shop.dir })).isError).toBe(false)
    await new Promise((resolve) => server.close(resolve))
  })
})

describe('names', () => {
  test('18 with line ends are one entry each', async () => {
    shop.write('a\nb.txt', 'needle')
    expect((await shop.call(ls, { path: '.' })).text).toBe(`${shop.dir}:\n"a\\nb.txt"`)
    expect((await shop.call(read, { file_path: 'a\nb.txt' })).text).toContain('needle')
    expect((await shop.call(grep, { pattern: 'needle', output_mode: 'count' })).isError).toBe(false)
  })

  test('19 with a leading dash, quotes, stars and dollar signs are names', async () => {
    for (const name of ['-rf', `it's "a" $(touch x) *.txt`, '--help']) {
      expect((await shop.call(write, { file_path: name, content: 'needle\n' })).isError).toBe(false)
      expect((await shop.call(grep, { pattern: 'needle', path: name, output_mode: 'content' })).text).toContain(
        ':1:needle',
      )
    }
    expect(existsSync(shop.path('x'))).toBe(false)
  })

  test('20 that are too long, empty below, or hold a zero byte', async () => {
    expect((await shop.call(write, { file_path: 'a'.repeat(300), content: 'x' })).text).toContain('too long')
    expect((await shop.call(read, { file_path: 'a\0b' })).isError).toBe(true)
    expect((await shop.call(write, { file_path: 'a\0b', content: 'x' })).isError).toBe(true)
    expect((await shop.call(ls, { path: 'a\0b' })).isError).toBe(true)
    expect((await shop.call(glob, { pattern: '*', path: 'a\0b' })).isError).toBe(true)
    expect((await shop.call(grep, { pattern: 'a', path: 'a\0b' })).isError).toBe(true)
  })

  test('21 that are no UTF-8 neither break a listing nor a search', async () => {
    execFileSync('bash', ['-c', `printf needle > "$(printf 'caf\\351.txt')"`], { cwd: shop.dir })
    expect((await shop.call(ls, { path: '.' })).isError).toBe(false)
    expect((await shop.call(grep, { pattern: 'needle' })).text).toMatch(/caf.+\.txt/)
  })

  test('22 that climb are what they lead to, and patterns may not climb', async () => {
    shop.write('a.txt', 'x')
    mkdirSync(shop.path('sub'))
    expect((await shop.call(read, { file_path: 'sub/../a.txt' })).text).toContain('x')
    for (const pattern of ['../*', '/etc/*', '~/x', 'a/{..,b}/*'])
      expect((await shop.call(glob, { pattern })).isError).toBe(true)
    expect((await shop.call(grep, { pattern: 'x', glob: '../*' })).isError).toBe(true)
  })
})

describe('content', () => {
  test('23 that is no UTF-8 is shown, and not damaged by an edit', async () => {
    const bytes = Buffer.from([0x61, 0xff, 0x0a, 0x62])
    await shop.known('latin.txt', bytes)
    expect((await shop.call(edit, { file_path: 'latin.txt', old_string: 'b', new_string: 'c' })).text).toContain(
      'not valid UTF-8',
    )
    expect(readFileSync(shop.path('latin.txt'))).toEqual(bytes)
  })

  test('24 of four gibibytes in one hole is binary at once', async () => {
    closeSync(openSync(shop.path('huge'), 'w'))
    truncateSync(shop.path('huge'), 4 * 2 ** 30)
    expect((await shop.call(read, { file_path: 'huge' })).text).toContain('binary file, 4,294,967,296 bytes')
    expect((await shop.call(edit, { file_path: 'huge', old_string: 'a', new_string: 'b' })).isError).toBe(true)
  })

  test('25 in a single line of 50 MB is cut', async () => {
    writeFileSync(shop.path('line'), 'x'.repeat(50 << 20))
    const { text } = await shop.call(read, { file_path: 'line' })
    expect(text.length).toBeLessThan(3_000)
    expect(text).toContain('more bytes]')
  })

  test('26 that grows while it is read gives an end', async () => {
    shop.write('log', 'line\n'.repeat(1_000))
    const grow = beside('i=0; while [ $i -lt 2000 ]; do echo line >> log; i=$((i+1)); done')
    for (let i = 0; i < 20; i += 1) expect((await shop.call(read, { file_path: 'log' })).isError).toBe(false)
    await grow.ended
  })

  test('27 that a pattern makes a fool of: a regular expression that explodes', async () => {
    shop.write('a.txt', `${'a'.repeat(40)}!\n`)
    const output = await shop.call(grep, { pattern: '(a+)+$', output_mode: 'content' })
    expect(output.text).toMatch(/No matches/)
  })

  test('28 a broken PDF, a broken notebook, an image that is none', async () => {
    shop.write('a.pdf', '%PDF-1.7\ngarbage')
    shop.write('b.ipynb', '{"cells": [')
    shop.write('c.png', 'no image')
    expect((await shop.call(read, { file_path: 'a.pdf' })).isError).toBe(true)
    expect((await shop.call(read, { file_path: 'b.ipynb' })).text).toContain('{"cells": [')
    expect((await shop.call(read, { file_path: 'c.png' })).text).toContain('no image')
  })

  test('29 edits that fail leave every byte in place', async () => {
    await shop.known('a.txt', '\uFEFFone\r\ntwo\r\n')
    const edits = [
      { old_string: 'one', new_string: '1' },
      { old_string: 'absent', new_string: 'x' },
    ]
    const output = await shop.call(multiEdit, { file_path: 'a.txt', edits })
    expect(output.text).toMatch(/^Edit 2 of 2 cannot be made, so none was made:\n1: 1 replacement, .*\n2: /s)
    expect(shop.read('a.txt')).toBe('\uFEFFone\r\ntwo\r\n')
  })
})

describe('places', () => {
  test.skipIf(isRoot)('30 without permission of the system say so', async () => {
    shop.write('closed/a.txt', 'x')
    chmodSync(shop.path('closed'), 0)
    expect((await shop.call(read, { file_path: 'closed/a.txt' })).text).toContain('permission denied')
    expect((await shop.call(write, { file_path: 'closed/b.txt', content: 'x' })).isError).toBe(true)
    chmodSync(shop.path('closed'), 0o700)
  })

  test('31 that cannot be written say so and leave nothing behind', async () => {
    expect((await shop.call(write, { file_path: '/proc/nothing', content: 'x' })).isError).toBe(true)
    expect((await shop.call(write, { file_path: '/dev/full/x', content: 'x' })).isError).toBe(true)
  })

  test('32 with a second hard link: only the permitted name changes', async () => {
    const secret = outside()
    linkSync(secret, shop.path('mine.txt'))
    await shop.call(read, { file_path: 'mine.txt' })
    await shop.call(write, { file_path: 'mine.txt', content: 'new' })
    expect([shop.read('mine.txt'), readFileSync(secret, 'utf8')]).toEqual(['new', 'secret'])
  })

  test('33 a working directory that is gone', async () => {
    const gone = shop.context({ cwd: shop.path('gone') })
    expect((await shop.call(bash, { command: 'pwd' }, gone)).text).toContain('does not exist any more')
    expect((await shop.call(glob, { pattern: '*' }, gone)).text).toContain('does not exist')
    expect((await shop.call(read, { file_path: 'a' }, gone)).text).toContain('does not exist')
  })

  test('34 a directory that a command removes under itself', async () => {
    const context = shop.context()
    const first = await shop.call(bash, { command: 'mkdir d; cd d; rmdir ../d; echo still here' }, context)
    expect(first.text).toContain('still here')
    expect((await shop.call(bash, { command: 'pwd' }, context)).isError).toBe(false)
  })
})

describe('commands', () => {
  test('35 a child that left its group and holds the output open', async () => {
    const { text } = await shop.call(bash, { command: 'setsid sleep 300 & echo $! > pid; echo done' })
    expect(text).toBe('done')
    killQuietly(Number(shop.read('pid')))
  })

  test('36 one that ignores every polite signal', async () => {
    const output = await shop.call(bash, {
      command: "trap '' TERM INT HUP; echo up; while :; do sleep 0.1; done",
      timeout: 300,
    })
    expect(output.text).toContain('[stopped after 0.3 s')
  })

  test('37 a fork bomb under a limit leaves nobody behind', async () => {
    const limit = 'ulimit -u $(($(ps --no-headers -eL | wc -l) + 60)) 2>/dev/null'
    const bomb = 'i=0; f() { while [ $i -lt 200 ]; do i=$((i+1)); sleep 31415 & done; }; f 2>/dev/null; echo over'
    const output = await shop.call(bash, { command: `${limit}; ${bomb}`, timeout: 10_000 })
    expect(output.text).toMatch(/over|stopped|exit|resource/i)
    const left = (): string => execFileSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' })
    await expect.poll(left).not.toMatch(/^[^Z]\S* +sleep 31415/m)
  })

  test('38 output without end, in characters of many bytes, is cut between characters', async () => {
    const { text } = await shop.call(bash, { command: `yes '🙂é漢' | head -c 3000000`, timeout: 20_000 })
    expect(text.isWellFormed()).toBe(true)
    expect(text.replace(/\[…[^\]]*\]/, '')).not.toContain('\uFFFD\uFFFD')
    expect(text.length).toBeLessThanOrEqual(30_000)
  })

  test('39 binary output does not break the answer', async () => {
    const { text } = await shop.call(bash, { command: 'head -c 20000 /dev/urandom' })
    expect(text.isWellFormed()).toBe(true)
  })

  test('40 a command that is no command line', async () => {
    for (const command of ['"', '$(', 'if', '<<', '\n\n', '#']) {
      const { text } = await shop.call(bash, { command })
      expect(text).toMatch(/exit \d|unexpected|no output|syntax/)
    }
    expect((await shop.call(bash, { command: 'a\0b' })).text).toContain('zero byte')
  })

  test('41 a command that closes its own output, and one that kills its shell', async () => {
    expect((await shop.call(bash, { command: 'exec >&- 2>&-; sleep 0.1; exit 7' })).text).toBe('[exit 7]')
    expect((await shop.call(bash, { command: 'kill -9 $$' })).text).toBe('[ended by SIGKILL]')
  })

  test('42 the keys of this process are not in its environment', async () => {
    const { text } = await shop.call(bash, { command: 'env; cat /proc/self/environ | tr "\\0" "\\n"' })
    expect(text).not.toMatch(/KEY=|TOKEN=|SECRET=/)
  })
})

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}

/** Runs a script in the workshop beside the test. */
function beside(script: string): { running(): boolean; readonly ended: Promise<void> } {
  let running = true
  const ended = new Promise<void>((resolve) => {
    spawn('bash', ['-c', script], { cwd: shop.dir, stdio: 'ignore' }).on('close', () => {
      running = false
      resolve()
    })
  })
  return { running: () => running, ended }
}
