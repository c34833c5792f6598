import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bubblewrapMissing, bubblewrapped } from '../../../src/adapters/sandbox/bubblewrap.ts'
import type { Policy } from '../../../src/protocol/permission.ts'
import { sandboxPlan } from '../../../src/rules/sandbox-plan.ts'

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
  const run = (command: string, given: Policy = policy()) => {
    const plan = sandboxPlan(given, { home: at('home'), temporary: at('tmp') })
    const [file, ...args] = bubblewrapped(['bash', '-c', command], plan, at('work'))
    const end = spawnSync(file, args, { encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '', SECRET: 'x' } })
    return { code: end.status, out: end.stdout.trim(), err: end.stderr }
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
