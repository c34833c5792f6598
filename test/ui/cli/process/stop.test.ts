import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isAlive } from '../../../../src/adapters/process/liveness.ts'
import { readRun } from '../../../../src/adapters/sessions/read-run.ts'
import { callsOf, type ToolUseBlock } from '../../../../src/protocol/conversation/message.ts'
import { bin, directoryWith, journalOf, onlyRun, repository, start, teamRunning, troupe } from './troupe.ts'
import { bareEnv } from '../../../support/bare-env.ts'

const sleeping = () => directoryWith(teamRunning('sleep 60'))
const allow = ['--allow', 'Bash(sleep:*)']

/** Calls of all journals that have no result. */
function unanswered(run: string): readonly ToolUseBlock[] {
  const messages = ['lead', 'hand'].flatMap((owner) =>
    journalOf(run, owner).flatMap((entry) => (entry.type === 'message.appended' ? [entry.message] : [])),
  )
  const answered = new Set(
    messages.flatMap((message) => (message.role === 'tool' ? message.results.map(({ call_id }) => call_id) : [])),
  )
  return messages
    .flatMap((message) => (message.role === 'assistant' ? callsOf(message) : []))
    .filter(({ id }) => !answered.has(id))
}

describe('stopping a run', () => {
  describe.each(['in-process', 'process'])('by a signal to its leader, workers %s', (executor) => {
    test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s interrupts it, and it is led on', async (signal) => {
      const cwd = directoryWith(teamRunning('echo begun >> begun; while [ ! -e go ]; do sleep 0.05; done; echo done'))
      const args = ['run', 'one', '--json', '--executor', executor, '--dangerously-skip-permissions']
      const { child, ended } = start(cwd, args)
      await expect.poll(() => existsSync(join(cwd, 'begun'))).toBe(true)
      child.kill(signal)
      const { code, stdout, stderr } = await ended
      expect(code).toBe(130)
      expect(stderr).toContain('stopping all members of')
      expect(stderr).toMatch(/go on with it: troupe resume one-/)
      expect(JSON.parse(stdout)).toMatchObject({ status: 'interrupted', result: null })
      expect(journalOf(onlyRun(cwd), 'team').map(({ type }) => type)).not.toContain('team.ended')
      const { members } = readRun(onlyRun(cwd))
      expect(members.filter(({ pid, started }) => isAlive(pid, started))).toEqual([])
      const listed = await troupe(cwd, ['ps', '--json'])
      expect(JSON.parse(listed.stdout)).toMatchObject([{ state: 'interrupted', stale: true }])
      expect((await troupe(cwd, ['runs', 'gc', '--keep', '0'])).stderr).toContain('0 runs')
      writeFileSync(join(cwd, 'go'), '')
      const resumed = await troupe(cwd, ['resume'])
      expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining('The hand says: It printed') as string })
      const died = journalOf(onlyRun(cwd), 'hand').filter(({ type }) => type === 'mail.received')
      expect(died).toHaveLength(1)
    })
  })

  test('by SIGTERM to a worker does not stop it: the worker starts again and answers', async () => {
    const cwd = directoryWith(teamRunning('echo begun >> begun; while [ ! -e go ]; do sleep 0.05; done; echo done'))
    const args = ['run', 'one', '--json', '--executor', 'process', '--dangerously-skip-permissions']
    const { ended } = start(cwd, args)
    await expect.poll(() => existsSync(join(cwd, 'begun'))).toBe(true)
    const [hand] = readRun(onlyRun(cwd)).members.filter(({ executor }) => executor === 'process')
    process.kill(hand?.pid ?? 0, 'SIGTERM')
    await expect
      .poll(() => journalOf(onlyRun(cwd), 'team').find(({ type }) => type === 'member.crashed'))
      .toMatchObject({ member: 'hand', error: expect.stringContaining('it was told to end by SIGTERM') as string })
    writeFileSync(join(cwd, 'go'), '')
    const { code, stdout } = await ended
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { status: 'completed' }])
    const settled = journalOf(onlyRun(cwd), 'team').find(({ type }) => type === 'request.settled')
    expect(settled).toMatchObject({ status: 'done' })
  })

  test('by the word of a person ends it for good, also while it works', async () => {
    const cwd = sleeping()
    const { ended, said } = start(cwd, ['run', 'one', '--json', ...allow])
    await said('Bash(sleep 60)')
    expect(await troupe(cwd, ['stop', 'one'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('in order') as string,
    })
    expect(JSON.parse((await ended).stdout)).toMatchObject({ status: 'aborted' })
    expect(unanswered(onlyRun(cwd))).toEqual([])
    expect(journalOf(onlyRun(cwd), 'team').at(-1)).toMatchObject({ type: 'team.ended', status: 'aborted' })
  })

  test('a killed run is still listed and read', async () => {
    const cwd = sleeping()
    const { child, ended, said } = start(cwd, ['run', 'one', ...allow])
    await said('Bash(sleep 60)')
    expect((await troupe(cwd, ['ps'])).stdout).toMatch(/running .* 2 of 2/)
    child.kill('SIGKILL')
    await ended
    appendFileSync(join(onlyRun(cwd), 'journal', 'hand.jsonl'), '{"v":1,"seq":99,"ty')
    const listed = await troupe(cwd, ['ps', '--all'])
    expect(listed.stdout).toMatch(/interrupted .* 0 of 2/)
    const logs = await troupe(cwd, ['logs'])
    expect(logs).toMatchObject({ code: 0, stdout: expect.stringContaining('→ Bash(sleep 60)') as unknown })
    expect(logs.stderr).toMatch(/warning: .*hand\.jsonl:\d+ /)
    expect((await troupe(cwd, ['logs', '-f'])).code).toBe(0)
  })

  test('a reader who leaves early is no mistake', async () => {
    const cwd = repository()
    await troupe(cwd, ['run', 'quickstart'])
    const node = JSON.stringify(process.execPath)
    const piped = spawnSync('bash', ['-c', `${node} ${bin} logs --json --full | head -1; echo "\${PIPESTATUS[0]}"`], {
      cwd,
      encoding: 'utf8',
    })
    expect(piped.stdout.trimEnd().split('\n').at(-1)).toBe('0')
    expect(piped.stderr).toBe('')
  })

  test('a run whose facts nobody reads any more goes on, and says so once', async () => {
    const cwd = directoryWith(teamRunning('pwd'))
    const { child, ended } = start(cwd, ['run', 'one', '--stream-json', '--dangerously-skip-permissions'])
    child.stdout?.destroy()
    const { code, stderr } = await ended
    expect(code).toBe(0)
    expect(stderr.match(/nobody reads the output any more/g)).toHaveLength(1)
    expect(journalOf(onlyRun(cwd), 'team').at(-1)).toMatchObject({ type: 'team.ended', status: 'completed' })
  })
})

describe('following a run', () => {
  test('prints what happens until the end', async () => {
    const cwd = directoryWith(teamRunning('while [ ! -e go ]; do sleep 0.1; done; pwd'))
    const running = start(cwd, ['run', 'one', '--dangerously-skip-permissions'])
    await running.said('Bash(while')
    const following = start(cwd, ['logs', '--follow', 'hand@one'])
    let seen = ''
    const begun = new Promise<void>((settle) =>
      following.child.stdout?.on('data', (chunk: Buffer) => {
        seen += chunk.toString()
        if (seen.includes('→ Bash(while')) settle()
      }),
    )
    await begun
    appendFileSync(join(cwd, 'go'), '')
    const [run, logs] = await Promise.all([running.ended, following.ended])
    expect([run.code, logs.code]).toEqual([0, 0])
    expect(logs.stdout).toContain('It printed')
    expect(logs.stdout).not.toContain('The hand says')
  })
})

describe.skipIf(!existsSync('/usr/bin/script'))('on a terminal', () => {
  const onTerminal = (cwd: string, args: readonly string[]) => {
    const command = [process.execPath, bin, ...args].map((word) => JSON.stringify(word)).join(' ')
    const env = { ...bareEnv, HOME: cwd, NO_COLOR: '1', TERM: 'xterm' }
    return spawn('script', ['-qec', command, '/dev/null'], { cwd, env, stdio: 'pipe' })
  }
  const played = (cwd: string, args: readonly string[], type: readonly [cue: string, keys: string, again?: number]) => {
    const child = onTerminal(cwd, args)
    let text = ''
    let typed = false
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const [cue, keys, again] = type
      if (typed || !text.includes(cue)) return
      typed = true
      child.stdin.write(keys)
      if (again === undefined) return
      const typing = setInterval(() => child.stdin.write(keys), again)
      child.once('close', () => clearInterval(typing))
    })
    return new Promise<{ code: number | null; text: string }>((settle) =>
      child.on('close', (code) => settle({ code, text })),
    )
  }

  test('a person is asked, the display makes room and the cursor comes back', async () => {
    const cwd = directoryWith(teamRunning('touch here'))
    // The dialog drops what was typed before a person can have read it: they type until they are heard.
    const { code, text } = await played(cwd, ['run', 'one'], ['stop this member', 'o\n', 100])
    expect(code).toBe(0)
    expect(existsSync(join(cwd, 'here'))).toBe(true)
    expect(text).toContain('hand wants to use Bash')
    expect(text.lastIndexOf('\u001b[?25h')).toBeGreaterThan(text.lastIndexOf('\u001b[?25l'))
    expect(text.lastIndexOf('\u001b[?7h')).toBeGreaterThan(text.lastIndexOf('\u001b[?7l'))
  })

  test('Ctrl-C interrupts the run, says how to go on and gives the cursor back', async () => {
    const cwd = sleeping()
    const { code, text } = await played(cwd, ['run', 'one', ...allow], ['Bash(sleep 60)', '\u0003'])
    expect(code).toBe(130)
    expect(text.lastIndexOf('\u001b[?25h')).toBeGreaterThan(text.lastIndexOf('\u001b[?25l'))
    expect(text).toContain('go on with it: troupe resume one-')
    expect(text).not.toContain('gone')
  })
})
