import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, kill } from 'node:process'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { processStart } from '../../../src/adapters/process/liveness.ts'
import { runCommand, type CommandEnd, type CommandOptions } from '../../../src/adapters/process/run-command.ts'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'troupe-process-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

async function bash(script: string, more: Partial<CommandOptions> = {}): Promise<CommandEnd & { output: string }> {
  let output = ''
  const end = await runCommand(['bash', '-c', script], {
    cwd: dir,
    env: { PATH: env['PATH'] ?? '' },
    signal: new AbortController().signal,
    onOutput: (text) => {
      output += text
    },
    ...more,
  })
  return { ...end, output }
}

const isAlive = (pid: number): boolean => processStart(pid) !== null

const grandchildOf = (output: string): number => Number(/^pid (\d+)$/m.exec(output)?.[1])

describe('runCommand', () => {
  test('reports exit code, output, errors and the side channel', async () => {
    const end = await bash('echo out; echo err >&2; echo side >&3; exit 3', { sideChannel: true })
    expect(end).toEqual({
      output: 'out\n',
      errors: 'err\n',
      side: 'side\n',
      ms: expect.any(Number) as number,
      exitCode: 3,
      signal: null,
      stopped: null,
      failure: null,
    })
  })

  test('gives the program the environment it is handed and nothing else', async () => {
    const end = await bash('echo "[$HOME][$ONLY]"', { env: { PATH: env['PATH'] ?? '', ONLY: 'this' } })
    expect(end.output).toBe('[][this]\n')
  })

  test('closes stdin', async () => {
    expect((await bash('read line; echo "$?"')).output).toBe('1\n')
  })

  test('decodes characters that come in halves', async () => {
    const { output } = await bash(`printf x; yes € | head -n 100000 | tr -d '\\n'`)
    expect(output).toBe(`x${'€'.repeat(100_000)}`)
  })

  test('says why a program could not be started', async () => {
    const missing = await runCommand(['no-such-program'], {
      cwd: dir,
      env: { PATH: dir },
      signal: new AbortController().signal,
      onOutput: () => undefined,
    })
    expect(missing).toMatchObject({ exitCode: null, failure: expect.stringContaining('ENOENT') as string })
    const nowhere = await bash('true', { cwd: join(dir, 'gone') })
    expect(nowhere.failure).toContain(join(dir, 'gone'))
  })

  test('starts nothing for a signal that is already aborted', async () => {
    const end = await bash('touch ran', { signal: AbortSignal.abort() })
    expect(end.stopped).toBe('abort')
    expect(existsSync(join(dir, 'ran'))).toBe(false)
  })

  test('names the signal that ended the program', async () => {
    expect(await bash('kill -9 $$')).toMatchObject({ exitCode: null, signal: 'SIGKILL', stopped: null })
  })
})

describe('the end of a group', () => {
  test('an abort ends grandchildren too', async () => {
    const control = new AbortController()
    let output = ''
    const running = bash('(sleep 300 & echo "pid $!"; wait); true', {
      signal: control.signal,
      onOutput: (text) => {
        output += text
        control.abort()
      },
    })
    expect((await running).stopped).toBe('abort')
    expect(grandchildOf(output)).toBeGreaterThan(1)
    await expect.poll(() => isAlive(grandchildOf(output))).toBe(false)
  })

  test('a program that ignores SIGTERM is ended all the same, and its children', async () => {
    const control = new AbortController()
    let output = ''
    const end = await bash(`trap '' TERM; sleep 300 & echo "pid $!"; wait; wait`, {
      signal: control.signal,
      onOutput: (text) => {
        output += text
        control.abort()
      },
    })
    expect(end).toMatchObject({ stopped: 'abort', signal: 'SIGKILL' })
    await expect.poll(() => isAlive(grandchildOf(output))).toBe(false)
  })

  test('a timeout is an end of its own', async () => {
    expect(await bash('exec sleep 300', { timeoutMs: 100 })).toMatchObject({ stopped: 'timeout', exitCode: null })
  })

  test('what a finished program left in the background is ended', async () => {
    const end = await bash('sleep 300 & echo "pid $!"')
    expect(end.exitCode).toBe(0)
    await expect.poll(() => isAlive(grandchildOf(end.output))).toBe(false)
  })

  test('a process substitution may finish its work', async () => {
    await bash('echo data > >(cat > copy)')
    expect(readFileSync(join(dir, 'copy'), 'utf8')).toBe('data\n')
  })

  test('a child that left the group and holds the output open does not hold the result back', async () => {
    const end = await bash(
      `mkfifo told; setsid bash -c 'echo "pid $$" > told; exec sleep 300' & read line < told; echo "$line"`,
    )
    expect(end.exitCode).toBe(0)
    expect(isAlive(grandchildOf(end.output))).toBe(true)
    kill(grandchildOf(end.output), 'SIGKILL')
  })
})
