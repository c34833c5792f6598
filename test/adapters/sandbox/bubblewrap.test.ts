import { spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bubblewrapMissing, bubblewrapped } from '../../../src/adapters/sandbox/bubblewrap.ts'
import { configuringFiles } from '../../../src/adapters/sandbox/configuring-files.ts'
import { treeIndex } from '../../../src/adapters/sandbox/tree-index.ts'
import type { Policy } from '../../../src/protocol/permissions/permission.ts'
import { sandboxPlan } from '../../../src/rules/sandbox/sandbox-plan.ts'

const missing = bubblewrapMissing()
if (missing !== null) console.warn(`skipped: ${missing}`)

describe.skipIf(missing !== null)('a sandboxed command', () => {
  let base = ''
  const at = (path: string) => join(base, path)
  const policy = (more: Partial<NonNullable<Policy['sandboxed']>> = {}): Policy => ({
    mode: 'default',
    rules: {},
    bounds: { protected: [at('work/.troupe'), at('home/.troupe')], scope: [], blockedHosts: [] },
    directories: [at('work')],
    sandboxed: { allows: true, excluded: [], ...more },
  })
  const env = { PATH: process.env['PATH'] ?? '', SECRET: 'x' }
  const fenced = (command: string, given: Policy) => {
    const found = configuringFiles(treeIndex(Date.now).look(given.directories), at('home'))
    const plan = sandboxPlan(given, { home: at('home'), temporary: at('tmp'), found })
    return bubblewrapped(['bash', '-c', command], plan, { cwd: at('work') })
  }
  const run = (command: string, given: Policy = policy()) => {
    const [file, ...args] = fenced(command, given)
    const end = spawnSync(file, args, { encoding: 'utf8', env })
    return { code: end.status, out: end.stdout.trim(), err: end.stderr }
  }
  /** A command that goes on while others run. */
  const started = (command: string) => {
    const [file, ...args] = fenced(command, policy())
    const child = spawn(file, args, { env, stdio: ['pipe', 'pipe', 'ignore'] })
    let out = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
    return {
      says: (text: string) =>
        new Promise<void>((resolve) =>
          child.stdout.on('data', () => {
            if (out.includes(text)) resolve()
          }),
        ),
      tell: (text: string) => child.stdin.end(text),
      end: new Promise<string>((resolve) => child.once('close', () => resolve(out))),
    }
  }

  beforeEach(() => {
    // Not below the system's temporary directory, which other tests may have opened.
    base = mkdtempSync(join(process.cwd(), 'node_modules/.cache/sandbox-'))
    for (const dir of ['work/.troupe', 'work/.git/hooks', 'home/.troupe/keys', 'tmp', 'outside'])
      mkdirSync(at(dir), { recursive: true })
    writeFileSync(at('home/.troupe/keys/run'), 'key')
    writeFileSync(at('outside/secret'), 'secret')
    writeFileSync(at('work/a'), 'a')
  })
  afterEach(() => rmSync(base, { recursive: true, force: true }))

  test('works where the member works and in the temporary directory', () => {
    expect(run(`cat a && echo b > b && echo t > ${at('tmp')}/t && pwd -P`)).toMatchObject({
      code: 0,
      out: `a${at('work')}`,
    })
    expect(readFileSync(at('work/b'), 'utf8')).toBe('b\n')
    expect(existsSync(at('tmp/t'))).toBe(true)
  })

  test('writes nowhere else, neither by name nor through a link', () => {
    symlinkSync(at('outside'), at('work/link'))
    for (const target of [
      at('outside/x'),
      at('work/link/x'),
      at('work/.troupe/settings.json'),
      at('home/x'),
      at('work/.git/hooks/pre-commit'),
    ]) {
      expect([target, run(`echo x > ${target}`).code]).not.toEqual([target, 0])
      expect(existsSync(target)).toBe(false)
    }
    expect(run('rm -rf .troupe .git/hooks').code).not.toBe(0)
    expect(existsSync(at('work/.troupe')) && existsSync(at('work/.git/hooks'))).toBe(true)
  })

  test('reads outside, but neither keys nor what the settings hide', () => {
    expect(run(`cat ${at('outside/secret')}`).out).toBe('secret')
    expect(run(`cat ${at('home/.troupe/keys/run')}`).code).not.toBe(0)
    const files = { allowWrite: [], denyWrite: [], denyRead: [at('outside')], allowRead: [] }
    expect(run(`cat ${at('outside/secret')}`, policy({ files })).code).not.toBe(0)
    const shown = { ...files, allowRead: [at('outside/secret')], denyRead: [at('home')] }
    expect(run(`cat ${at('outside/secret')}`, policy({ files: shown })).out).toBe('secret')
  })

  test('cannot undo the mounts, make namespaces, or see other processes', () => {
    expect(
      run(`mount -o remount,rw / ; umount ${at('work/.troupe')} ; unshare -Ur true; echo x > ${at('outside/x')}`).code,
    ).not.toBe(0)
    expect(existsSync(at('outside/x'))).toBe(false)
    expect(run('ls /proc | grep -c "^[0-9]"').out).not.toBe('')
    expect(run(`test -d /proc/${process.pid}`).code).not.toBe(0)
  })

  test('cannot make what is closed and not there yet, and leaves no trace of it', () => {
    rmSync(at('work/.troupe'), { recursive: true })
    const before = readdirSync(at('work'))
    for (const target of [
      '.claude/settings.json',
      '.troupe/settings.json',
      '.vscode/tasks.json',
      '.mcp.json',
      '.git/config',
    ])
      expect([target, run(`mkdir -p ${dirname(target)}; echo x > ${target}`).code]).toEqual([target, 1])
    expect(run('mv .claude x || mv .troupe x || rmdir .vscode || ln -s a .mcp.json').code).not.toBe(0)
    expect(readdirSync(at('work'))).toEqual(before)
    const files = { allowWrite: [], denyWrite: [at('work/deep/er')], denyRead: [], allowRead: [] }
    expect(run('touch deep/er/x', policy({ files })).code).not.toBe(0)
    expect(readdirSync(at('work'))).toEqual(before)
  })

  test('neither moves a repository nor changes what configures one, wherever it lies', () => {
    for (const dir of ['work/.git/info', 'work/sub/.git/hooks', 'work/sub/.husky'])
      mkdirSync(at(dir), { recursive: true })
    for (const file of ['work/.git/config', 'work/sub/.git/config', 'work/.envrc', 'work/sub/.npmrc', 'work/.git/HEAD'])
      writeFileSync(at(file), 'old')
    for (const escape of [
      'mv .git g2',
      'rm -rf .git/config',
      'echo x > .git/config',
      'echo x > .git/info/attributes',
      'mkdir .git/config.worktree && echo x > .git/config.worktree/x',
      'echo x > .git/hooks/post-commit',
      'mv sub/.git g2',
      'mv sub s2 && mv s2/.git s2/g2',
      'echo x > sub/.git/config',
      'echo x > sub/.git/hooks/post-commit',
      'rm -r sub/.git',
      'echo x > .envrc',
      'mv .envrc e2',
      'rm .envrc',
      'ln -sf a .envrc',
      'echo x > sub/.npmrc',
      'echo x > sub/.husky/pre-commit',
      'mkdir .vscode/x',
      'mkdir .devcontainer/x',
      "python3 -c \"import os; os.rename('.git', 'g2')\"",
    ])
      expect([escape, run(escape).code]).not.toEqual([escape, 0])
    expect(readFileSync(at('work/.git/config'), 'utf8')).toBe('old')
    expect(run('echo new > .git/HEAD && mkdir .git/refs').code).toBe(0)
  })

  // A command that goes on may exchange directories at any time: here between the plan and the start.
  test.each(['../outside', '../../../../../../../../../../dev/shm', '../home/.troupe'])(
    'does not begin where a directory became a link to %s meanwhile',
    (to) => {
      mkdirSync(at('work/r/.git/hooks'), { recursive: true })
      const argv = fenced(`echo x > ${at('outside/x')}; echo x > r/y`, policy())
      renameSync(at('work/r'), at('work/r2'))
      symlinkSync(to, at('work/r'))
      const [file, ...args] = argv
      const end = spawnSync(file, args, { encoding: 'utf8', env })
      expect(end.status).not.toBe(0)
      expect(readdirSync(at('outside'))).toEqual(['secret'])
      expect(existsSync(join(at('work/r'), 'y'))).toBe(false)
    },
  )

  test('begins where names have blanks and other signs', () => {
    for (const name of ['a b', 'a\\b', "it's", 'a*', 'a\nb'])
      mkdirSync(at(`work/${name}/.git/hooks`), { recursive: true })
    expect(run('echo begun').out).toBe('begun')
  })

  test('makes no socket to the host of a virtual machine', () => {
    for (const unixSockets of [false, true])
      expect(run(`perl -e 'socket(S, 40, 1, 0) or print $! + 0'`, policy({ unixSockets })).out).toBe('1')
  })

  test('makes a repository where there is none', () => {
    rmSync(base, { recursive: true })
    // The project around this place has one.
    base = mkdtempSync(join(tmpdir(), 'sandbox-'))
    mkdirSync(at('work/.troupe'), { recursive: true })
    expect(run('mkdir -p .git/hooks && touch .git/config').code).toBe(0)
  })

  test('a placeholder stays while another command stands on it', async () => {
    const first = started('touch .claude/one; echo ready; read -r _; touch .claude/two; ls -A .claude; exit 0')
    await first.says('ready')
    expect(run('touch .claude/three').code).not.toBe(0)
    expect(existsSync(at('work/.claude'))).toBe(true)
    first.tell('go\n')
    expect(await first.end).toBe('ready\n')
    expect(existsSync(at('work/.claude'))).toBe(false)
  })

  test('makes no sockets of the machine, unless the settings allow it', () => {
    const dial = `const { connect } = require('node:net'); connect('/nowhere').on('error', (e) => console.log(e.code))`
    const node = `${process.execPath} -e ${JSON.stringify(dial)}`
    expect(run(node).out).toBe('EPERM')
    expect(run(node, policy({ unixSockets: true })).out).toBe('ENOENT')
  })

  test('reaches the network only where that is opened', async () => {
    const server = createServer((_request, answer) => answer.end('hello'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const call = `exec 3<>/dev/tcp/127.0.0.1/${port}`
    expect(run(call).code).not.toBe(0)
    expect(run(call, policy({ domains: ['example.com'] })).code).not.toBe(0)
    expect(run(call, policy({ domains: ['*'] })).code).toBe(0)
    await new Promise((resolve) => server.close(resolve))
  })
})
