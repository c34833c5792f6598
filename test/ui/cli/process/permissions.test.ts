import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { directoryWith, journalOf, onlyRun, start, teamRunning, troupe, type Started } from './troupe.ts'

/** A run without a terminal that waits for somebody to allow its one command. */
async function waitingRun(executor = 'in-process'): Promise<{ cwd: string; run: Started; id: string }> {
  const files = teamRunning('touch made')
  const team = (files['teams/one.yaml'] ?? '').replace('tools: [Bash]', `tools: [Bash], executor: ${executor}`)
  const cwd = directoryWith({ ...files, 'teams/one.yaml': team })
  const run = start(cwd, ['run', 'one', '--wait-permissions', '1h'])
  await run.said('waits for approval')
  const [pending] = JSON.parse((await troupe(cwd, ['permissions', 'pending', '--json'])).stdout) as { id: string }[]
  if (!pending) throw new Error('nothing waits')
  return { cwd, run, id: pending.id }
}

describe('a question of a run without a terminal', () => {
  test('is listed, shown by ps, and answered from another terminal; a late answer is told who won', async () => {
    const { cwd, run, id } = await waitingRun()
    expect(id).toMatch(/^hand-\d+-1$/)
    const listed = await troupe(cwd, ['permissions', 'pending'])
    expect(listed.stdout).toMatch(/^ID +MEMBER +WAITS +ALIVE +CALL +ASKED BECAUSE\n/)
    expect(listed.stdout).toMatch(new RegExp(`^${id} +hand@one .* yes +Bash\\(touch made\\)`, 'm'))
    const seen = JSON.parse((await troupe(cwd, ['ps', '--json'])).stdout) as { members: { waits_for_you: number }[] }[]
    expect(seen[0]?.members.map(({ waits_for_you }) => waits_for_you)).toEqual([0, 1])

    const answered = await troupe(cwd, ['permissions', 'answer', id, 'allow'])
    expect(answered).toEqual({ code: 0, stdout: `${id} allowed\n`, stderr: '' })
    expect(await run.ended).toMatchObject({ code: 0 })
    expect(existsSync(join(cwd, 'made'))).toBe(true)
    const late = await troupe(cwd, ['permissions', 'answer', id, 'deny'])
    expect(late).toMatchObject({
      code: 1,
      stdout: `${id}: your answer does not count: allowed by troupe permissions answer\n`,
    })
    expect((await troupe(cwd, ['permissions', 'pending'])).stderr).toBe('Nothing waits for approval.\n')
  })

  test('of two answers at once one wins, both are told, and the run obeys the winner', async () => {
    const { cwd, run, id } = await waitingRun()
    const answers = await Promise.all([
      troupe(cwd, ['permissions', 'answer', id, 'allow', '--json']),
      troupe(cwd, ['permissions', 'answer', id, 'deny', '--advice', 'Not now.', '--json']),
    ])
    const said = answers.map(({ stdout }) => JSON.parse(stdout) as { won: boolean; answer: { behavior: string } })
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([0, 1]))
    expect(said.filter(({ won }) => won)).toHaveLength(1)
    expect(new Set(said.map(({ answer }) => answer.behavior)).size).toBe(1)
    await run.ended
    expect(existsSync(join(cwd, 'made'))).toBe(said[0]?.answer.behavior === 'allow')
  })

  test('survives its leader: it stays, and takes an answer, when the run was killed', async () => {
    const { cwd, run, id } = await waitingRun()
    run.child.kill('SIGKILL')
    await run.ended
    const [pending] = JSON.parse((await troupe(cwd, ['permissions', 'pending', '--json'])).stdout) as {
      live: boolean
    }[]
    expect(pending).toMatchObject({ live: false, id })
    const answered = await troupe(cwd, ['permissions', 'answer', id, 'allow'])
    expect(answered).toMatchObject({ code: 0, stdout: `${id} allowed\n` })
    expect(answered.stderr).toContain('the answer waits until troupe resume one-')
  })

  test('waits on when the run is interrupted', async () => {
    const { cwd, run, id } = await waitingRun()
    run.child.kill('SIGINT')
    expect(await run.ended).toMatchObject({ code: 130 })
    expect((await troupe(cwd, ['permissions', 'answer', id, 'allow'])).stdout).toBe(`${id} allowed\n`)
    expect((await troupe(cwd, ['resume'])).code).toBe(0)
    expect(existsSync(join(cwd, 'made'))).toBe(true)
  })

  test('is withdrawn when the run is stopped in order', async () => {
    const { cwd, run, id } = await waitingRun()
    expect((await troupe(cwd, ['stop', 'one'])).code).toBe(0)
    expect(await run.ended).toMatchObject({ code: 130 })
    const late = await troupe(cwd, ['permissions', 'answer', id, 'allow'])
    expect(late).toMatchObject({ code: 1 })
    expect(late.stdout).toContain('no longer asked')
    expect(existsSync(join(cwd, 'made'))).toBe(false)
  })
})

describe('a worker in a process of its own', () => {
  test('asks, waits, and hears an answer that another process gives', async () => {
    const { cwd, run, id } = await waitingRun('process')
    expect((await troupe(cwd, ['permissions', 'answer', id, 'allow', '--save'])).code).toBe(0)
    expect(await run.ended).toMatchObject({ code: 0 })
    expect(existsSync(join(cwd, 'made'))).toBe(true)
    expect(existsSync(join(cwd, '.troupe/settings.local.json'))).toBe(true)
    const decided = journalOf(onlyRun(cwd), 'hand').filter(({ type }) => type === 'permission.decided')
    expect(decided).toMatchObject([{ request: id, by: 'troupe permissions answer', decision: { source: 'human' } }])
  })
})

describe.each(['in-process', 'process'])('when the leader of a waiting worker (%s) is killed', (executor) => {
  async function orphaned() {
    const { cwd, run, id } = await waitingRun(executor)
    run.child.kill('SIGKILL')
    await run.ended
    return { cwd, id, name: basename(onlyRun(cwd)) }
  }

  function expectDecidedOnce(cwd: string, id: string): void {
    expect(existsSync(join(cwd, 'made'))).toBe(true)
    const decided = journalOf(onlyRun(cwd), 'hand').filter(({ type }) => type === 'permission.decided')
    expect(decided).toMatchObject([{ request: id, by: 'troupe permissions answer', decision: { behavior: 'allow' } }])
  }

  test('the next leader asks the same question, and the answer from another terminal reaches the worker', async () => {
    const { cwd, id, name } = await orphaned()
    const next = start(cwd, ['resume', name])
    await next.said(`waits for approval (${id})`)
    const pending = JSON.parse((await troupe(cwd, ['permissions', 'pending', '--json'])).stdout) as object[]
    expect(pending).toMatchObject([{ id, live: true }])
    expect((await troupe(cwd, ['permissions', 'answer', id, 'allow'])).code).toBe(0)
    expect(await next.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('The hand says') as unknown })
    expectDecidedOnce(cwd, id)
  })

  test('an answer that comes while nobody leads is found when the run is led on', async () => {
    const { cwd, id, name } = await orphaned()
    expect((await troupe(cwd, ['permissions', 'answer', id, 'allow'])).code).toBe(0)
    expect(await troupe(cwd, ['resume', name])).toMatchObject({ code: 0 })
    expectDecidedOnce(cwd, id)
  })
})

describe('a mistake', () => {
  test.each([
    [['hand-1-1', 'allow'], 'there is no request "hand-1-1" here; none waits'],
    [['hand-1-1', 'allow', '--advice', 'x'], '--advice goes with deny'],
    [['hand-1-1', 'allow', '--stop'], '--stop goes with deny'],
    [['hand-1-1', 'deny', '--session'], '--session and --save go with allow'],
    [['hand-1-1', 'allow', '--rule', 'Bash'], '--rule goes with --session or --save'],
    [['hand-1-1', 'allow', '--save', '--rule', '))'], 'is not a rule'],
    [['hand-1-1', 'maybe'], 'there is no request "hand-1-1"'],
    [['../x', 'allow'], 'there is no request'],
  ])('%j: %s', async (args, message) => {
    const { code, stderr } = await troupe(directoryWith({}), ['permissions', 'answer', ...args])
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })
})
