import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sampleTeam } from '../../contracts/sample-team.ts'
import { settleTrust } from '../../../src/ui/cli/runs/settle-trust.ts'
import { loadTeam } from '../../../src/runtime/team-files/load-team.ts'
import { main } from '../../../src/ui/cli/main.ts'
import { fakeHost, type FakeHost } from './fake-host.ts'
import { emptyDirectory } from './process/troupe.ts'

interface Desk {
  readonly cwd: string
  readonly host: FakeHost
}

function desk(terminal?: { columns: number; rows: number }): Desk {
  const cwd = emptyDirectory()
  const home = emptyDirectory()
  const host = fakeHost({ cwd, home, policyRoot: join(home, 'policy'), ...(terminal ? { terminal } : {}) })
  if (terminal) host.stdin.isTTY = true
  return { cwd, host }
}

function write(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(content))
}

const opening = { permissions: { allow: ['Bash(make)'], defaultMode: 'acceptEdits' } }
const team = sampleTeam()
const trustFile = ({ host }: Desk): string => readFileSync(join(host.home, '.troupe/trust.json'), 'utf8')

async function say({ host }: Desk, args: readonly string[]) {
  const code = await main(args, host)
  return { code, out: host.stdout.text, err: host.stderr.text }
}

describe('before a run', () => {
  test('a person at a terminal sees what would be opened, each with its place, and is asked once', async () => {
    const at = desk({ columns: 80, rows: 24 })
    write(join(at.cwd, '.troupe/settings.json'), opening)
    at.host.stdin.write('y\n')
    expect(await settleTrust({ team, cwd: at.cwd }, at.host)).toBeNull()
    expect(at.host.stderr.text).toContain('Bash(make)   .troupe/settings.json:1')
    expect(at.host.stderr.text).toContain('mode acceptEdits   .troupe/settings.json:1')
    expect(JSON.parse(trustFile(at))).toEqual({ spec: 1, workspaces: { [at.cwd]: ['Bash(make)', 'mode acceptEdits'] } })
    const shown = at.host.stderr.text
    expect(await settleTrust({ team, cwd: at.cwd }, at.host)).toBeNull()
    expect(at.host.stderr.text).toBe(shown)
  })

  test.for(['n\n', '\n', 'yess\n', 'y es\n'])('%j is no yes, and nothing is remembered', async (answer) => {
    const at = desk({ columns: 80, rows: 24 })
    write(join(at.cwd, '.troupe/settings.json'), opening)
    at.host.stdin.write(answer)
    expect(await settleTrust({ team, cwd: at.cwd }, at.host)).toBeNull()
    expect(() => trustFile(at)).toThrow('ENOENT')
  })

  test('the end of the input is no yes', async () => {
    const at = desk({ columns: 80, rows: 24 })
    write(join(at.cwd, '.troupe/settings.json'), opening)
    at.host.stdin.end()
    await settleTrust({ team, cwd: at.cwd }, at.host)
    expect(() => trustFile(at)).toThrow('ENOENT')
  })

  test('without a terminal nobody is asked and what does not count is said', async () => {
    const at = desk()
    write(join(at.cwd, '.troupe/settings.json'), opening)
    const open = { ...team, permissions: { allow: ['Read(//x)'] } }
    expect(await settleTrust({ team: open, cwd: at.cwd }, at.host)).toContain(
      '(Bash(make), mode acceptEdits, Read(//x))',
    )
    expect(await settleTrust({ team: open, cwd: at.cwd, trust: true }, at.host)).toBeNull()
  })

  test('the way out that is said finds what the team brings along, with its line', async () => {
    const at = desk()
    mkdirSync(join(at.cwd, 'teams'))
    const file = join(at.cwd, 'teams/open.yaml')
    writeFileSync(
      file,
      'name: open\nmodel: scripted/s.yaml\npermissions:\n  mode: acceptEdits\n  allow:\n    - Bash(make)\ncoordinator: { prompt: p }\nworkers: { ana: { description: d, prompt: p } }\n',
    )
    writeFileSync(join(at.cwd, 'teams/s.yaml'), 'agents: {}\n')
    const loaded = await loadTeam(file, { env: {} })
    const way = await settleTrust({ team: loaded, cwd: at.cwd }, at.host)
    expect(way).toContain('let it count with troupe trust teams/open.yaml, or')
    const { out } = await say(at, ['trust', 'teams/open.yaml'])
    expect(out).toContain('Bash(make)   teams/open.yaml:6')
    expect(out).toContain('mode acceptEdits   ')
    expect(await settleTrust({ team: loaded, cwd: at.cwd }, at.host)).toBeNull()
  })

  test('--list and --revoke are not given together', async () => {
    expect(await say(desk(), ['trust', '--list', '--revoke'])).toMatchObject({ code: 2 })
  })

  test('bypassPermissions needs its own word', async () => {
    const { cwd, host } = desk()
    await expect(settleTrust({ team, cwd, mode: 'bypassPermissions' }, host)).rejects.toThrow(
      '--dangerously-skip-permissions',
    )
    expect(await settleTrust({ team, cwd, dangerouslySkipPermissions: true }, host)).toBeNull()
  })

  test('where the settings keep bypassPermissions shut, the word does not open it', async () => {
    const { cwd, host } = desk()
    write(join(host.policyRoot, 'policy.json'), { permissions: { disableBypassPermissionsMode: 'disable' } })
    await expect(settleTrust({ team, cwd, dangerouslySkipPermissions: true }, host)).rejects.toThrow(
      /kept shut by .*policy\.json/,
    )
  })
})

describe('troupe trust', () => {
  test('remembers, lists and forgets', async () => {
    const at = desk()
    write(join(at.cwd, '.troupe/settings.json'), opening)
    expect((await say(at, ['trust'])).out).toContain('It is trusted from now on')
    expect((await say(at, ['trust', '--list'])).out).toContain(`${at.cwd}\n  Bash(make)\n  mode acceptEdits\n`)
    expect((await say(at, ['trust'])).out).toContain('waits for trust')
    expect((await say(at, ['trust', '--revoke'])).out).toContain('is no longer trusted')
    expect((await say(at, ['trust', '--revoke'])).out).toContain('was not trusted')
    expect((await say(at, ['trust', '--list'])).out).toMatch(/No workspace is trusted\.\n$/)
  })

  test('--json prints one document', async () => {
    const at = desk()
    write(join(at.cwd, '.claude/settings.json'), opening)
    expect(JSON.parse((await say(at, ['trust', '--json'])).out)).toEqual({
      workspace: at.cwd,
      trusted: [
        { rule: 'Bash(make)', at: '.claude/settings.json:1' },
        { rule: 'mode acceptEdits', at: '.claude/settings.json:1' },
      ],
    })
  })

  test('a file of trust that nobody can read is not written over', async () => {
    const at = desk()
    write(join(at.cwd, '.troupe/settings.json'), opening)
    write(join(at.host.home, '.troupe/trust.json'), { spec: 2 })
    const { code, err } = await say(at, ['trust'])
    expect(code).not.toBe(0)
    expect(err).toContain('trust.json is not what troupe trust writes')
    expect(JSON.parse(trustFile(at))).toEqual({ spec: 2 })
  })
})

describe('doctor', () => {
  test('lists the settings in force, what in them is not honoured and what is not trusted', async () => {
    const at = desk()
    write(join(at.cwd, '.claude/settings.json'), {
      ...opening,
      statusLine: {},
      permissions: { ...opening.permissions, deny: ['Bash(rm:*)'] },
    })
    write(join(at.host.home, '.troupe/settings.json'), { permissions: { alow: [] } })
    const { code, out } = await say(at, ['doctor'])
    expect(code).toBe(0)
    expect(out).toContain('settings project  .claude/settings.json  2 rules\n')
    expect(out).toContain('not honoured here: statusLine (.claude/settings.json:1)')
    expect(out).toMatch(/not trusted.*\n {2}Bash\(make\) {2}\.claude\/settings\.json:1/)
    expect(out).toMatch(/~\/\.troupe\/settings\.json:1:\d+ error unknown_key .*did you mean "allow"/)
  })

  test('a managed policy that cannot be used is essential, and --json says all of it', async () => {
    const at = desk()
    write(join(at.host.policyRoot, 'policy.json'), { permissions: 7 })
    const { code, out } = await say(at, ['doctor', '--json'])
    expect(code).toBe(5)
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      settings: {
        files: [{ source: 'policy', status: 'partial' }],
        problems: [{ severity: 'error', code: 'wrong_type' }],
        untrusted: [],
      },
    })
  })
})

test('what was trusted in a directory that is gone can still be taken back', async () => {
  const at = desk()
  const cwd = join(at.cwd, 'shop')
  write(join(cwd, '.troupe/settings.json'), opening)
  expect((await say(at, ['trust', '--cwd', 'shop'])).code).toBe(0)
  rmSync(cwd, { recursive: true })
  expect(await say({ ...at, host: fakeHost({ ...at.host }) }, ['trust', '--cwd', 'shop'])).toMatchObject({ code: 2 })
  expect((await say(at, ['trust', '--revoke', '--cwd', 'shop'])).out).toContain(`${cwd} is no longer trusted.`)
  expect(JSON.parse(trustFile(at))).toMatchObject({ workspaces: {} })
})
