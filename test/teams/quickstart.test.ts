import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Recorded } from '../../src/protocol/facts/entry.ts'
import type { RunResult } from '../../src/protocol/team/run.ts'
import { loadTeam } from '../../src/runtime/team-files/load-team.ts'
import { runTeam } from '../../src/runtime/run/run-team.ts'

let root: string
let dir: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'troupe-quickstart-'))
  dir = join(root, 'repository')
  mkdirSync(dir)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const env = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: root,
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CEILING_DIRECTORIES: root,
  GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z',
  GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z',
})
const shell = (command: string): string =>
  execFileSync('/bin/bash', ['-c', command], {
    cwd: dir,
    env: env(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })

function write(name: string, content: string | Uint8Array): void {
  mkdirSync(join(dir, name, '..'), { recursive: true })
  writeFileSync(join(dir, name), content)
}

function commit(message: string, author: string): void {
  shell(
    `git add -A && git -c user.name=${author} -c user.email=${author}@example.com -c commit.gpgsign=false commit -qm "${message}"`,
  )
}

async function survey(): Promise<{
  readonly result: RunResult
  readonly report: string
  readonly facts: readonly Recorded[]
}> {
  const team = await loadTeam(resolve('teams/quickstart.yaml'), { cwd: dir, env: {} })
  const run = runTeam(team, { task: 'Survey this repository.', cwd: dir, home: root, env: env() })
  const facts: Recorded[] = []
  run.subscribe((recorded) => facts.push(recorded))
  const result = await run.result
  return { result, report: result.result ?? '', facts }
}

/** Every `**number** … (`command`)` of the report. */
function numbersIn(report: string): readonly (readonly [command: string, number: string])[] {
  return [...report.matchAll(/^\* \*\*(.+?)\*\* [^\n]*\(`(.+)`\)$/gm)].map(([, number = '', command = '']) => [
    command,
    number,
  ])
}

/** Every table of the report with the command above it. */
function tablesIn(report: string): readonly (readonly [command: string, table: string])[] {
  return [...report.matchAll(/^\(`(.+)`\):\n\n```\n([\s\S]*?)\n```$/gm)].map(([, command = '', table = '']) => [
    command,
    table,
  ])
}

describe('in a repository with awkward files', () => {
  beforeEach(() => {
    shell('git init -q -b main')
    write('README.md', '# Hello\n\nWorld.\n')
    write('src/a file with spaces.ts', 'one\ntwo\n// TODO later\nno newline at the end')
    write('src/größe.ts', 'ü\n')
    write('src/"quoted".md', 'x\n')
    write('image.bin', new Uint8Array([0, 1, 2, 0, 255]))
    write('empty.txt', '')
    write('keys/server.pem', 'not really\n')
    commit('Begin', 'ann')
    write('test/a.test.ts', 'test\n')
    commit('Test it', 'bob')
    write('README.md', '# Hello\n\nChanged.\n')
    write('new file.txt', 'untracked\n')
  })

  test('every number and table is what its command gives there', async () => {
    const { result, report } = await survey()
    expect(result).toMatchObject({ status: 'completed', reason: expect.not.stringContaining('script') as string })
    const numbers = numbersIn(report)
    expect(numbers.map(([command]) => command)).toEqual(
      expect.arrayContaining(['git ls-files | wc -l', 'git rev-list --count HEAD']),
    )
    expect(numbers).toHaveLength(9)
    expect(numbers).toEqual(numbers.map(([command]) => [command, shell(command).trim()]))
    const tables = tablesIn(report)
    expect(tables).toHaveLength(6)
    expect(tables).toEqual(tables.map(([command]) => [command, shell(command).trimEnd()]))
    expect(report).toContain('**8** tracked files')
    expect(report).toContain('**2** commits')
    expect(report).toContain('First line of README.md: # Hello')
    expect(report).toContain('Latest commit: 2026-01-02')
    expect(report).toContain('a file with spaces.ts:1')
  })

  test('nothing is refused or asked, no step is left, the tree is as it was', async () => {
    const before = shell('git status --porcelain')
    const { facts } = await survey()
    const decisions = facts.flatMap(({ entry }) => (entry.type === 'permission.decided' ? [entry] : []))
    expect(decisions.filter(({ decision }) => decision.behavior !== 'allow')).toEqual([])
    expect(new Set(decisions.map(({ tool }) => tool))).toEqual(new Set(['Delegate', 'Bash', 'Read', 'Grep', 'Glob']))
    expect(facts.filter(({ entry }) => entry.type === 'warning.raised')).toEqual([])
    expect(shell('git status --porcelain')).toBe(before)
  })
})

test('without a commit the numbers that exist are given, the others say why not', async () => {
  shell('git init -q -b main')
  write('a.txt', 'a\n')
  shell('git add a.txt')
  const { result, report } = await survey()
  expect(result.status).toBe('completed')
  expect(report).toContain('**1** tracked files')
  expect(report).toContain('**?** commits')
  expect(report).toContain('does not have any commits yet')
})

test('outside a repository the report says so', async () => {
  const { result, report } = await survey()
  expect(result.status).toBe('completed')
  expect(report).toContain('State of the branch: `fatal: not a git repository')
  expect(report).toContain('**0** tracked files')
})
