import { mkdirSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, type TestContext } from 'vitest'
import { stringify } from 'yaml'
import { readJournal } from '../../../src/adapters/sessions/read-journal.ts'
import { journalOwners } from '../../../src/adapters/sessions/segments.ts'
import type { RunResult } from '../../../src/protocol/team/run.ts'
import type { ExecutorKind } from '../../../src/protocol/team/team-card.ts'
import { livingLeader } from '../../../src/runtime/runs/leader.ts'
import { loadTeam } from '../../../src/runtime/team-files/load-team.ts'
import { resumeTeam } from '../../../src/runtime/run/resume-team.ts'
import { RunHalted } from '../../../src/runtime/journals/run-halted.ts'
import { runTeam, type TeamRun } from '../../../src/runtime/run/run-team.ts'
import { fill, smallDisk } from '../../support/small-disk.ts'
import { tempDir } from '../support/stage.ts'
import { bareEnv } from '../../support/bare-env.ts'

const team = (executor: ExecutorKind) => ({
  name: 'full',
  model: 'scripted/script.yaml',
  coordinator: { prompt: 'You lead.' },
  workers: { ana: { description: 'Fills.', prompt: 'You fill.', tools: ['Bash'], executor } },
})

/** More than fits into what is left of a journal's last block. */
const wordy = "head -c 9000 /dev/zero | tr '\\0' x"

const script = {
  lead: {
    steps: [
      { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Fill it.' }] } }] },
      { say: 'ana: {{mail.ana}}' },
    ],
  },
  ana: {
    steps: [
      { calls: [{ tool: 'Bash', input: { command: '[ -e room ] || cat /dev/zero > filler; true' } }] },
      { calls: [{ tool: 'Bash', input: { command: wordy } }] },
      { say: 'I filled it.' },
    ],
  },
}

interface Begun extends TeamRun {
  /** Leads it on as it was begun. */
  resume(): Promise<RunResult>
}

/** A team whose worker fills the disk that its run lies on. */
async function begin(cwd: string, executor: ExecutorKind = 'in-process', files = cwd): Promise<Begun> {
  const teams = join(files, 'teams')
  mkdirSync(teams)
  writeFileSync(join(teams, 'team.yaml'), stringify(team(executor)))
  writeFileSync(join(teams, 'script.yaml'), stringify({ agents: script }))
  const surroundings = { home: tempDir(), env: bareEnv }
  const options = { task: 'Begin.', cwd, mode: 'bypassPermissions', allowBypass: true, ...surroundings } as const
  const run = runTeam(await loadTeam(join(teams, 'team.yaml'), { env: {} }), options)
  return { ...run, resume: async () => (await resumeTeam(run.dir, surroundings)).result }
}

async function failureOf({ result }: TeamRun): Promise<Error> {
  return result.then(
    (result) => new Error(`it ended: ${JSON.stringify(result)}`),
    (error: Error) => error,
  )
}

function journalsOf(dir: string): readonly string[] {
  return journalOwners(join(dir, 'journal')).map((owner) => join(dir, 'journal', `${owner}.jsonl`))
}

/** Lets the worker's lease lie on a disk that is full. Returns the end of that. */
function fillLease(dir: string, context: TestContext): () => void {
  const full = smallDisk(context)
  fill(join(full, 'filler'))
  mkdirSync(join(dir, 'lease'), { recursive: true })
  const lease = join(dir, 'lease', 'ana')
  symlinkSync(full, lease)
  return () => unlinkSync(lease)
}

describe('a full disk halts a run', () => {
  test.for(['in-process', 'process'] as const)(
    'whose worker fills it, %s, and it goes on when there is room',
    async (executor, context) => {
      const cwd = smallDisk(context, 2)
      const run = await begin(cwd, executor)
      const error = await failureOf(run)
      expect(error).toBeInstanceOf(RunHalted)
      expect(error.message).toBe(
        `${run.id} is halted: the disk at ${cwd} is full (ENOSPC). ` +
          `Nothing that was recorded is lost; make room there, then: troupe resume ${run.id}`,
      )
      expect(journalsOf(run.dir).flatMap((file) => readJournal(file).problems)).toEqual([])
      expect(livingLeader(run.dir)).toBeNull()

      writeFileSync(join(cwd, 'filler'), '')
      writeFileSync(join(cwd, 'room'), '')
      expect(await run.resume()).toMatchObject({ status: 'completed', result: 'ana: I filled it.' })
      const received = journalsOf(run.dir).flatMap((file) =>
        readJournal(file).entries.flatMap((entry) => (entry.type === 'mail.received' ? [entry.envelope.kind] : [])),
      )
      expect(received.toSorted()).toEqual(['result', 'task'])
    },
  )

  test('before it begins', async (context) => {
    const cwd = smallDisk(context)
    fill(join(cwd, 'filler'))
    const error = await begin(cwd, 'in-process', tempDir()).catch((caught: Error) => caught)
    expect(error).toBeInstanceOf(RunHalted)
    expect(error).toMatchObject({ message: `no run begins: the disk at ${cwd} is full (ENOSPC); make room there` })
  })

  test('whose worker cannot begin, without calling that a crash', async (context) => {
    const run = await begin(tempDir())
    const empty = fillLease(run.dir, context)
    const error = await failureOf(run)
    expect(error.message).toContain('is full (ENOSPC)')
    expect(error.cause).toMatchObject({ code: 'ENOSPC' })
    expect(readFileSync(join(run.dir, 'journal', 'team.jsonl'), 'utf8')).not.toContain('member.crashed')

    empty()
    writeFileSync(join(run.dir, '../../../room'), '')
    expect(await run.resume()).toMatchObject({ status: 'completed' })
  })

  test('that is led on while nothing has changed, and can be led on later', async (context) => {
    const run = await begin(tempDir())
    const empty = fillLease(run.dir, context)
    await failureOf(run)
    await expect(run.resume()).rejects.toThrow('is full (ENOSPC)')
    empty()
    writeFileSync(join(run.dir, '../../../room'), '')
    expect(await run.resume()).toMatchObject({ status: 'completed' })
  })
})
