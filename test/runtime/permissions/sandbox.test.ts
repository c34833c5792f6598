import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { bubblewrapMissing } from '../../../src/adapters/sandbox/bubblewrap.ts'
import { runCommand } from '../../../src/adapters/process/run-command.ts'
import { runWrapped } from '../../../src/adapters/tools/shell/run-wrapped.ts'
import { bashOutput } from '../../../src/adapters/tools/shell/bash-output.ts'
import { bash } from '../../../src/adapters/tools/shell/bash.ts'
import { write } from '../../../src/adapters/tools/files/write.ts'
import { shellCommand } from '../../../src/adapters/tools/shell/shell.ts'
import { createAgent } from '../../../src/index.ts'
import type { Policy, Sandboxed } from '../../../src/protocol/permissions/permission.ts'
import { commandWrap } from '../../../src/runtime/permissions/sandbox.ts'
import { openServerTokens } from '../../../src/runtime/settings/server-tokens.ts'

const missing = bubblewrapMissing()
if (missing !== null) console.warn(`skipped: ${missing}`)

describe.skipIf(missing !== null)('commandWrap', () => {
  let base = ''
  beforeEach(() => {
    mkdirSync('node_modules/.cache', { recursive: true })
    base = mkdtempSync(join(process.cwd(), 'node_modules/.cache/sandbox-'))
    for (const dir of ['work/sub', 'outside', 'tmp']) mkdirSync(join(base, dir), { recursive: true })
    // The temporary directory is open to commands: this place may lie below the real one.
    vi.stubEnv('TMPDIR', join(base, 'tmp'))
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    rmSync(base, { recursive: true, force: true })
  })

  const run = async (command: string, sandboxed: Partial<Sandboxed> | undefined, more = {}) => {
    const policy: Policy = {
      mode: 'default',
      rules: {},
      bounds: { protected: [], scope: [], blockedHosts: [] },
      directories: [join(base, 'work')],
      ...(sandboxed === undefined ? {} : { sandboxed: { allows: true, excluded: [], ...sandboxed } }),
    }
    const cwd = join(base, 'work')
    const wrap = commandWrap(() => policy, join(base, 'home'), Date.now)
    const wrapped = await wrap({ command, ...more }, shellCommand(command), { cwd })
    if ('trouble' in wrapped) throw new Error(wrapped.trouble)
    let out = ''
    const env = { PATH: process.env['PATH'] ?? '' }
    const signal = new AbortController().signal
    const end = await runCommand(wrapped.argv, {
      cwd,
      env,
      signal,
      sideChannel: true,
      onOutput: (text) => (out += text),
    })
    return { ...end, out }
  }

  test('the shell inside tells its output, exit code and directory as outside', async () => {
    expect(await run('echo hi; cd sub; exit 3', {})).toMatchObject({
      exitCode: 3,
      out: 'hi\n',
      side: `${base}/work/sub\n`,
    })
  })

  test('secrets that a person makes while a command runs are hidden from the command as well', async () => {
    const home = join(base, 'home')
    spawnSync('mkfifo', [join(base, 'work/gate')])
    const read = `cat gate; cat ${home}/.troupe/server-tokens.json ${home}/.troupe/mcp/logins/a ${home}/.troupe/keys/a`
    const running = run(read, {})
    // A pipe opens for writing when the command has begun to read.
    const gate = await open(join(base, 'work/gate'), 'w')
    openServerTokens(home)
    for (const dir of ['mcp/logins', 'keys']) {
      mkdirSync(join(home, '.troupe', dir), { recursive: true })
      writeFileSync(join(home, '.troupe', dir, 'a'), 'TOKEN')
    }
    await gate.close()
    expect((await running).out).not.toMatch(/"token"|TOKEN/)
    expect(openServerTokens(home).file).toBe(join(home, '.troupe/server-tokens.json'))
  })

  test('only what the settings keep outside, and what may ask for it, leaves', async () => {
    const target = join(base, 'outside/x')
    const command = `touch ${target}`
    expect((await run(command, {})).exitCode).not.toBe(0)
    expect((await run(command, { leavable: false }, { dangerously_disable_sandbox: true })).exitCode).not.toBe(0)
    expect(existsSync(target)).toBe(false)
    expect((await run(command, { excluded: ['touch *'] })).exitCode).toBe(0)
    rmSync(target)
    expect((await run(command, {}, { dangerously_disable_sandbox: true })).exitCode).toBe(0)
    rmSync(target)
    expect((await run(command, undefined)).exitCode).toBe(0)
  })

  /** Waits for words of a command. */
  const heard = (words: string) => {
    let all = ''
    let tell = (): void => {}
    const come = new Promise<void>((resolve) => (tell = resolve))
    const hear = (text: string): void => {
      all += text
      if (all.includes(words)) tell()
    }
    return { come, hear }
  }

  /** Commands of one member: what is known of one counts for the next. */
  const member = () => {
    const policy: Policy = {
      mode: 'default',
      rules: {},
      bounds: { protected: [], scope: [], blockedHosts: [] },
      directories: [join(base, 'work')],
      sandboxed: { allows: true, excluded: [] },
    }
    const wrap = commandWrap(() => policy, join(base, 'home'), Date.now)
    const cwd = join(base, 'work')
    return async (command: string, more = {}, onOutput: (text: string) => void = () => {}) => {
      const program = await wrap({ command, ...more }, shellCommand(command), { cwd })
      if ('trouble' in program) throw new Error(program.trouble)
      const stop = new AbortController()
      const options = {
        cwd,
        env: { PATH: process.env['PATH'] ?? '' },
        signal: stop.signal,
        onOutput,
        sideChannel: true,
      }
      return { stop, end: runWrapped(program, (argv) => runCommand(argv, options)) }
    }
  }

  test('what a command left is put aside when it was stopped, too', async () => {
    const started = member()
    const ready = heard('ready\n')
    const command = 'git init -q n; git -C n config core.fsmonitor ./evil; echo x > .npmrc; echo ready; sleep 600'
    const { stop, end } = await started(command, {}, ready.hear)
    await ready.come
    stop.abort()
    expect((await end).errors).toContain('core.fsmonitor of the repository')
    expect(['n/.git/HEAD', '.npmrc'].map((path) => existsSync(join(base, 'work', path)))).toEqual([false, false])
  })

  test('what a command leaves that goes on is put aside before another runs outside', async () => {
    const started = member()
    const ready = heard('ready\n')
    const { stop, end } = await started('echo x > .npmrc; echo ready; sleep 600', {}, ready.hear)
    await ready.come
    const free = await started('test ! -e .npmrc', { dangerously_disable_sandbox: true })
    expect(await free.end).toMatchObject({ exitCode: 0, errors: expect.stringContaining('.npmrc.left') as string })
    stop.abort()
    await end
  })

  test('two commands at once do not make known what one of them left', async () => {
    const started = member()
    const [up, beside] = [heard('ready\n'), heard('beside\n')]
    const wait = 'until [ -e go ]; do sleep 0.02; done'
    const one = await started(`git init -q n; git -C n config core.fsmonitor ./e; echo ready; ${wait}`, {}, up.hear)
    await up.come
    const back = 'until [ -e n/.git/config.left ]; do sleep 0.02; done'
    const move = 'cd n/.git; for name in refs HEAD hooks config; do mv $name.left $name; done'
    const two = await started(`echo beside; ${back}; ${move}`, {}, beside.hear)
    await beside.come
    writeFileSync(join(base, 'work/go'), '')
    expect((await one.end).errors).toContain('core.fsmonitor of the repository')
    expect((await two.end).errors).toContain('core.fsmonitor of the repository')
    expect(existsSync(join(base, 'work/n/.git/HEAD'))).toBe(false)
  })

  test('what a command left is put aside when the member was killed, too', async () => {
    const left = 'git init -q n; git -C n config core.fsmonitor ./evil; echo x > .npmrc; ln -s /proc/self l'
    const command = `echo old > .envrc; ${left}; echo ready; sleep 600; touch late`
    const source = new URL('../../../src/', import.meta.url).href
    const policy = { mode: 'default', rules: {}, bounds: { protected: [], scope: [], blockedHosts: [] } }
    const given = { ...policy, directories: [join(base, 'work')], sandboxed: { allows: true, excluded: [] } }
    const script = `
      const { commandWrap } = await import('${source}runtime/permissions/sandbox.ts')
      const { runCommand } = await import('${source}adapters/process/run-command.ts')
      const wrap = commandWrap(() => (${JSON.stringify(given)}), ${JSON.stringify(join(base, 'home'))}, Date.now)
      const { argv } = await wrap({}, ['bash', '-c', ${JSON.stringify(command)}], { cwd: process.cwd() })
      const onOutput = (text) => process.stdout.write(text)
      await runCommand(argv, { cwd: process.cwd(), env: process.env, signal: new AbortController().signal, onOutput })`
    writeFileSync(join(base, 'work/.envrc'), 'mine')
    symlinkSync('/proc/self', join(base, 'work/mine'))
    const killed = spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd: join(base, 'work'),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await new Promise<void>((resolve) =>
      killed.stdout.setEncoding('utf8').on('data', (text: string) => text.includes('ready') && resolve()),
    )
    killed.kill('SIGKILL')
    await new Promise((resolve) => killed.once('exit', resolve))
    const { errors } = await (await member()('true')).end
    for (const name of ['core.fsmonitor of the repository', '.npmrc.left', 'l.left']) expect(errors).toContain(name)
    expect(readdirSync(join(base, 'work')).toSorted()).toEqual(['.envrc', '.npmrc.left', 'l.left', 'mine', 'n', 'sub'])
    expect(readdirSync(join(base, 'home/.troupe/sandboxed'))).toEqual([])
    expect((await (await member()('true')).end).errors).toBe('')
  })

  test('a place of the member that became a link out of the working directory is told', async () => {
    symlinkSync('../outside', join(base, 'work/mine'))
    const policy: Policy = {
      mode: 'default',
      rules: {},
      bounds: { protected: [], scope: [join(base, 'work/mine')], blockedHosts: [] },
      directories: [join(base, 'work')],
      sandboxed: { allows: true, excluded: [] },
    }
    const wrap = commandWrap(() => policy, join(base, 'home'), Date.now)
    const wrapped = await wrap({ command: 'true' }, shellCommand('true'), { cwd: join(base, 'work') })
    expect(wrapped).toEqual({ trouble: expect.stringContaining('work/mine is a link out of the working') as string })
  })

  test('rules that close too many files are told, and nothing runs', async () => {
    for (let i = 0; i < 301; i += 1) writeFileSync(join(base, `work/${i}.key`), '')
    const policy: Policy = {
      mode: 'default',
      rules: { user: { deny: ['Read(*.key)'] } },
      bounds: { protected: [], scope: [], blockedHosts: [] },
      directories: [join(base, 'work')],
      sandboxed: { allows: true, excluded: [] },
    }
    const wrap = commandWrap(() => policy, base, Date.now)
    const wrapped = await wrap({ command: 'true' }, shellCommand('true'), { cwd: join(base, 'work') })
    expect(wrapped).toEqual({ trouble: expect.stringContaining('more than 300 files') as string })
  })

  test('what an agent outside of any team wrote with a tool that asks stays', async () => {
    const cwd = join(base, 'work')
    const call = (tool: string, input: object) => ({ calls: [{ tool, input }] })
    const steps = [
      call('Bash', { command: 'until [ -e go ]; do sleep 0.02; done; echo x > .yarnrc', run_in_background: true }),
      call('Write', { file_path: join(cwd, '.npmrc'), content: 'a=b\n' }),
      call('Write', { file_path: join(cwd, 'go'), content: '' }),
      { calls: [{ tool: 'BashOutput', input: { bash_id: 'bash_1', wait: 60_000 }, as: 'b' }] },
      { say: '{{b.text}}' },
    ]
    writeFileSync(join(cwd, 'answers.yaml'), JSON.stringify({ agents: { agent: { steps } } }))
    const agent = createAgent({
      model: 'scripted/answers.yaml',
      cwd,
      home: join(base, 'home'),
      env: { PATH: process.env['PATH'] ?? '' },
      tools: [bash, bashOutput, write],
      sandbox: { enabled: true, autoAllowBashIfSandboxed: true },
      approver: {
        answer: () => Promise.resolve({ behavior: 'allow', source: 'human', reason: 'so', scope: 'once' }),
      },
    })
    expect((await agent.run('Try.').result).text).not.toContain('.npmrc.left')
    expect(existsSync(join(cwd, '.npmrc'))).toBe(true)
    agent.close()
  })

  test('an agent outside of any team has one when it is asked for', async () => {
    const cwd = join(base, 'work')
    const command = `touch inside; touch ${base}/outside/x || echo refused`
    const steps = `[{ calls: [{ tool: Bash, input: { command: ${JSON.stringify(command)} }, as: b }] }, { say: "{{b.text}}" }]`
    writeFileSync(join(cwd, 'answers.yaml'), `agents: { agent: { steps: ${steps} } }`)
    const env = { PATH: process.env['PATH'] ?? '' }
    const sandbox = { enabled: true, autoAllowBashIfSandboxed: true }
    const agent = createAgent({
      model: 'scripted/answers.yaml',
      cwd,
      home: join(base, 'home'),
      env,
      tools: [bash],
      sandbox,
    })
    expect((await agent.run('Try.').result).text).toContain('refused')
    expect([existsSync(join(cwd, 'inside')), existsSync(join(base, 'outside/x'))]).toEqual([true, false])
    agent.close()
  })
})
