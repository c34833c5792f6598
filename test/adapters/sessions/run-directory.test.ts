import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { listRuns, readRun } from '../../../src/adapters/sessions/read-run.ts'
import { createRun, runDirectory } from '../../../src/adapters/sessions/run-directory.ts'
import { forgetRunKeys, readRunKey } from '../../../src/adapters/sessions/run-key.ts'
import { isAlive } from '../../../src/adapters/process/liveness.ts'
import type { MemberFile } from '../../../src/protocol/team/run.ts'
import { sampleTeam } from '../../contracts/sample-team.ts'
import { everyEntry } from '../../support/every-entry.ts'

const home = mkdtempSync(join(tmpdir(), 'troupe-runs-'))
afterAll(() => rmSync(home, { recursive: true }))

const ulid = (n: number) => `01J0000000000000000000000${n}`
let projects = 0

function newRun(n = 1, cwd = join(home, `p${(projects += 1)}`)) {
  const root = join(cwd, '.troupe', 'runs')
  const run = createRun({
    root,
    home: join(cwd, 'home'),
    team: sampleTeam(),
    task: 'Go.',
    cwd,
    git_head: null,
    ulid: ulid(n),
    created: 1000 + n,
  })
  return { cwd, root, run }
}

test('a run that cannot be made whole leaves nothing, so that no half run is the latest', () => {
  const cwd = join(home, 'half')
  mkdirSync(cwd)
  const root = join(cwd, 'runs')
  writeFileSync(join(cwd, 'home'), 'a file where the folder of the keys should be')
  const place = { root, home: join(cwd, 'home'), cwd, git_head: null, ulid: ulid(1), created: 1 }
  expect(() => createRun({ ...place, team: sampleTeam(), task: 'Go.' })).toThrow('home')
  expect(readdirSync(root)).toEqual([])
})

const member: MemberFile = {
  id: 'writer@demo',
  incarnation: ulid(9),
  executor: 'in-process',
  pid: process.pid,
  started: 1,
  pane: null,
  state: 'idle',
  unread: 0,
}

describe('a new run', () => {
  test('is private, frozen in run.json, and kept out of git', () => {
    const { cwd, run } = newRun()
    expect(run.id).toBe(`demo-${ulid(1)}`)
    expect(readFileSync(join(cwd, '.troupe/.gitignore'), 'utf8')).toBe(
      '*\n!/memory/\n!/memory/*.md\n/memory/MEMORY.md\n',
    )
    expect(statSync(run.dir).mode & 0o777).toBe(0o700)
    expect(statSync(join(run.dir, 'run.json')).mode & 0o777).toBe(0o600)
    const { run: file, members, problems } = readRun(run.dir)
    expect(problems).toEqual([])
    expect(members).toEqual([])
    expect(file).toMatchObject({ spec: 2, run: run.id, task: 'Go.', cwd, created: 1001, team: sampleTeam() })
    expect(isAlive(file?.leader.pid ?? 0, file?.leader.started ?? 0)).toBe(true)
  })

  test('has a key of its own, outside its directory, that only its owner reads', () => {
    const { cwd, run } = newRun()
    const file = join(cwd, 'home/.troupe/keys', run.id)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700)
    const key = readRunKey(join(cwd, 'home'), run.id)
    expect(key).toHaveLength(32)
    expect(key).not.toEqual(readRunKey(join(newRun().cwd, 'home'), run.id))
    const texts = readdirSync(run.dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    expect(texts.join('')).not.toContain(key.toString('hex'))
  })

  test('a key that is missing or broken is named, never shown', () => {
    const { cwd, run } = newRun()
    const file = join(cwd, 'home/.troupe/keys', run.id)
    writeFileSync(file, 'c0ffee')
    expect(() => readRunKey(join(cwd, 'home'), run.id)).toThrow(`${file} is no key of a run`)
    rmSync(file)
    expect(() => readRunKey(join(cwd, 'home'), run.id)).toThrow(`cannot be read: ${file} (ENOENT)`)
  })

  test('outlives its key only by being gone for a month', () => {
    const { cwd, run } = newRun()
    const home = join(cwd, 'home')
    const later = statSync(join(home, '.troupe/keys', run.id)).mtimeMs + 31 * 24 * 3_600_000
    expect(forgetRunKeys(home, later)).toEqual([])
    rmSync(run.dir, { recursive: true })
    expect(forgetRunKeys(home, later - 2 * 24 * 3_600_000)).toEqual([])
    expect(forgetRunKeys(home, later)).toEqual([run.id])
    expect(() => readRunKey(home, run.id)).toThrow('ENOENT')
    expect(forgetRunKeys(join(cwd, 'nowhere'), later)).toEqual([])
  })

  test('leaves a .gitignore that is there alone, and writes none outside .troupe', () => {
    const { cwd } = newRun()
    writeFileSync(join(cwd, '.troupe/.gitignore'), 'runs\n')
    newRun(2, cwd)
    expect(readFileSync(join(cwd, '.troupe/.gitignore'), 'utf8')).toBe('runs\n')
    const root = join(home, 'elsewhere', 'runs')
    createRun({ root, home: cwd, team: sampleTeam(), task: '', cwd: home, git_head: null, ulid: ulid(1), created: 1 })
    expect(readdirSync(join(home, 'elsewhere'))).toEqual(['runs'])
  })

  test('says where no run can be kept, and what to do', () => {
    const cwd = mkdtempSync(join(tmpdir(), 'troupe-run-'))
    writeFileSync(join(cwd, '.troupe'), '')
    const root = join(cwd, '.troupe', 'runs')
    expect(() => newRun(1, cwd)).toThrow(
      `no run can be kept in ${root} (ENOTDIR): make the directory writable, or name another one with --cwd`,
    )
  })

  test('refuses a name that is taken', () => {
    const { cwd } = newRun()
    expect(() => newRun(1, cwd)).toThrow('EEXIST')
  })

  test('opens journals that begin with their header, once', () => {
    const { run } = newRun()
    const first = run.openJournal('writer', () => 5, everyEntry)
    expect(first.state).toEqual([
      {
        v: 1,
        seq: 1,
        id: 'writer-1',
        parent: null,
        at: 5,
        type: 'journal.opened',
        spec: 2,
        run: run.id,
        team: 'demo',
        owner: 'writer',
        leader: 'lead',
      },
    ])
    first.journal.append([{ type: 'agent.started' }])
    first.journal.close()
    const again = runDirectory(run.dir, sampleTeam()).openJournal('writer', () => 6, everyEntry)
    expect(again.state.map(({ type }) => type)).toEqual(['journal.opened', 'agent.started'])
    again.journal.close()
    expect(readRun(run.dir).journals).toEqual(['writer'])
  })

  test('replaces member files as a whole and leaves nothing beside them', () => {
    const { run } = newRun()
    run.writeMember(member)
    run.writeMember({ ...member, id: 'lead@demo' })
    run.writeMember({ ...member, state: 'busy', unread: 2 })
    expect(readdirSync(join(run.dir, 'members'))).toEqual(['lead.json', 'writer.json'])
    expect(readRun(run.dir).members).toEqual([
      { ...member, id: 'lead@demo' },
      { ...member, state: 'busy', unread: 2 },
    ])
  })
})

describe('listing runs', () => {
  test('is newest first across teams and passes over other names', () => {
    const { root, cwd } = newRun(2)
    newRun(3, cwd)
    newRun(1, cwd)
    mkdirSync(join(root, 'notes'))
    mkdirSync(join(root, `other-team-${ulid(4)}`))
    expect(listRuns(root).map(({ id, team }) => [id, team])).toEqual([
      [`other-team-${ulid(4)}`, 'other-team'],
      [`demo-${ulid(3)}`, 'demo'],
      [`demo-${ulid(2)}`, 'demo'],
      [`demo-${ulid(1)}`, 'demo'],
    ])
  })

  test('a missing root has no runs', () => {
    expect(listRuns(join(home, 'nowhere'))).toEqual([])
  })
})

describe('reading what a kill left behind', () => {
  test('every stage of making a run is read without an error', () => {
    const { run } = newRun()
    run.writeMember(member)
    const steps = ['members', 'journal', 'mail', 'run.json', 'members/writer.json']
    for (let made = 0; made <= steps.length; made += 1) {
      const partial = join(home, `partial-${made}`)
      mkdirSync(partial)
      for (const step of steps.slice(0, made).filter((name) => !name.includes('/'))) {
        cpSync(join(run.dir, step), join(partial, step), {
          recursive: true,
          filter: (path) => made === steps.length || !path.includes('writer'),
        })
      }
      const { run: file, members, problems } = readRun(partial)
      expect(file === null).toBe(made < 4)
      expect(members).toHaveLength(made === steps.length ? 1 : 0)
      expect(problems.map(({ message }) => message)).toEqual(made < 4 ? ['is missing'] : [])
    }
  })

  test('files that are cut, foreign or still being written are problems of that file alone', () => {
    const { run } = newRun()
    run.writeMember(member)
    run.writeMember({ ...member, id: 'lead@demo' })
    truncateSync(join(run.dir, 'members/lead.json'), 20)
    writeFileSync(join(run.dir, 'members/other.json'), '{"id":"other"}')
    writeFileSync(join(run.dir, 'members/.unfinished-1-writer.json'), '{"id":')
    const { run: file, members, problems } = readRun(run.dir)
    expect(file?.run).toBe(run.id)
    expect(members).toEqual([member])
    expect(problems.map((problem) => problem.file)).toEqual([
      join(run.dir, 'members/lead.json'),
      join(run.dir, 'members/other.json'),
    ])
  })

  test('a directory that is not there is read too', () => {
    expect(readRun(join(home, 'gone'))).toMatchObject({
      run: null,
      members: [],
      journals: [],
      problems: [{ message: 'is missing' }],
    })
  })
})
