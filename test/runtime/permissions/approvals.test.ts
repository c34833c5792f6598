import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Entry, Recorded } from '../../../src/protocol/facts/entry.ts'
import type { Approver, Question } from '../../../src/protocol/port.ts'
import type { ApprovalFile } from '../../../src/protocol/permissions/approval-file.ts'
import { answerApproval, pendingApprovals, type PersonalAnswer } from '../../../src/runtime/runs/answer-approval.ts'
import type { RunTeamOptions } from '../../../src/runtime/run/run-team.ts'
import { play, type Played } from '../support/stage.ts'

const duo = {
  name: 'duo',
  coordinator: { prompt: 'You lead.' },
  workers: { ana: { description: 'Works.', prompt: 'You work.', tools: ['Bash', 'Edit'] } },
}

/** A worker that wants to run commands, one after the other, and then says that it is over. */
const wants = (...commands: readonly string[]) => ({
  lead: {
    steps: [
      { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Make it.' }] } }] },
      { say: 'ana: {{mail.ana}}' },
    ],
  },
  ana: {
    steps: [...commands.map((command) => ({ calls: [{ tool: 'Bash', input: { command } }] })), { say: 'Over.' }],
  },
})

const person = (answer: Partial<PersonalAnswer> = {}): PersonalAnswer => ({
  behavior: 'allow',
  by: 'another terminal',
  at: 7,
  ...answer,
})

/** Waits for the n-th fact of a type, in order of recording. */
function nth<Type extends Entry['type']>({ run, recorded }: Played, type: Type, n = 1) {
  type Found = Extract<Entry, { type: Type }>
  const found = (): Found | undefined =>
    recorded.flatMap(({ entry }) => (entry.type === type ? [entry as Found] : []))[n - 1]
  return new Promise<Found>((resolve) => {
    const look = (): void => {
      const entry = found()
      if (entry) resolve(entry)
    }
    run.subscribe(look)
    look()
  })
}

async function begin(
  commands: readonly string[],
  options: Partial<RunTeamOptions>,
): Promise<Played & { home: string }> {
  const played = await play(duo, wants(...commands), options)
  return { ...played, home: join(played.cwd, 'home') }
}

const decisions = (recorded: readonly Recorded[]) =>
  recorded.flatMap(({ owner, entry }) => (owner === 'ana' && entry.type === 'permission.decided' ? [entry] : []))

const warnings = (recorded: readonly Recorded[]) =>
  recorded.flatMap(({ entry }) => (entry.type === 'warning.raised' ? [entry] : []))

/** An approver that answers when the test says so, and shows what it was asked. */
function heldApprover() {
  const asked: { question: Question; signal: AbortSignal; answer: (given: Awaited<Answered>) => void }[] = []
  let ring = (): void => undefined
  const approver: Approver = {
    answer(question, signal) {
      const given = Promise.withResolvers<Awaited<Answered>>()
      signal.addEventListener('abort', () => given.reject(signal.reason as Error), { once: true })
      asked.push({ question, signal, answer: given.resolve })
      ring()
      return given.promise
    },
  }
  const nthAsked = async (n: number) => {
    for (;;) {
      const one = asked[n - 1]
      if (one) return one
      await new Promise<void>((resolve) => (ring = resolve))
    }
  }
  return { approver, asked: nthAsked }
}
type Answered = ReturnType<Approver['answer']>

const yes = { behavior: 'allow', source: 'human', reason: 'allowed once', scope: 'once' } as const

test('a question waits in a file until another process answers it, and the call runs', async () => {
  const played = await begin(['touch made'], { permissionWaitMs: 60_000 })
  const { request } = await nth(played, 'permission.requested')
  expect(pendingApprovals([played.run.dir])).toMatchObject([
    {
      live: true,
      request: {
        id: request,
        member: 'ana@duo',
        tool: 'Bash',
        input: { command: 'touch made' },
        task: 'Make it.',
        grants: { session: ['Bash(touch made)'], save: ['Bash(touch:*)'] },
      },
    },
  ])
  expect(existsSync(join(played.cwd, 'made'))).toBe(false)
  expect(answerApproval(played.run.dir, request, person({ home: played.home }))).toMatchObject({ won: true })
  expect(await played.result).toMatchObject({ status: 'completed', result: 'ana: Over.' })
  expect(existsSync(join(played.cwd, 'made'))).toBe(true)
  expect(decisions(played.recorded)).toMatchObject([
    {
      decision: { behavior: 'allow', source: 'human', reason: 'allowed once' },
      asked: { behavior: 'ask', source: 'mode' },
      request,
      by: 'another terminal',
    },
  ])
  expect(pendingApprovals([played.run.dir])).toEqual([])
})

test('a denial carries its advice to the model, and a later answer is told who was first', async () => {
  const played = await begin(['touch made'], { permissionWaitMs: 60_000 })
  const { request } = await nth(played, 'permission.requested')
  const { dir } = played.run
  const { home } = played
  const said = answerApproval(dir, request, person({ behavior: 'deny', advice: 'Use made.txt.', home }))
  expect(said).toMatchObject({ won: true })
  expect(answerApproval(dir, request, person({ by: 'the late one', home }))).toMatchObject({
    won: false,
    answer: { behavior: 'deny', by: 'another terminal', reason: 'Use made.txt.' },
  })
  await played.result
  expect(existsSync(join(played.cwd, 'made'))).toBe(false)
  const results = played.recorded.flatMap(({ entry }) =>
    entry.type === 'message.appended' && entry.message.role === 'tool' ? entry.message.results : [],
  )
  expect(JSON.stringify(results)).toContain('A person refused this call. Use made.txt.')
})

test('allowed for the session, the same call is not asked again, and another one is', async () => {
  const played = await begin(['touch made', 'touch made', 'touch other'], { permissionWaitMs: 60_000 })
  const first = await nth(played, 'permission.requested')
  answerApproval(played.run.dir, first.request, person({ scope: 'session', home: played.home }))
  const second = await nth(played, 'permission.requested', 2)
  expect(decisions(played.recorded).map(({ decision }) => decision.source)).toEqual(['human', 'session'])
  answerApproval(played.run.dir, second.request, person({ behavior: 'deny', home: played.home }))
  await played.result
  expect(decisions(played.recorded).map(({ decision }) => decision.behavior)).toEqual(['allow', 'allow', 'deny'])
})

test('saved rules stand in the settings of this workspace, beside what was there, and hold at once', async () => {
  const played = await begin(['touch made', 'touch made other'], { permissionWaitMs: 60_000 })
  const { home, cwd } = played
  const settings = join(cwd, '.troupe/settings.local.json')
  writeFileSync(settings, JSON.stringify({ permissions: { deny: ['Bash(rm:*)'] } }))
  const { request } = await nth(played, 'permission.requested')
  answerApproval(played.run.dir, request, person({ scope: 'save', home }))
  await played.result
  expect(decisions(played.recorded).map(({ decision }) => decision.behavior)).toEqual(['allow', 'allow'])
  expect(JSON.parse(readFileSync(settings, 'utf8'))).toEqual({
    permissions: { deny: ['Bash(rm:*)'], allow: ['Bash(touch:*)'] },
  })
})

test('a changed input is judged again: what the rules deny stays denied', async () => {
  const rules = { deny: ['Bash(rm:*)'] }
  const played = await begin(['touch made', 'touch other'], { permissionWaitMs: 60_000, rules })
  const first = await nth(played, 'permission.requested')
  const { home } = played
  const updated = { updated_input: { command: 'rm made' }, home }
  answerApproval(played.run.dir, first.request, person(updated))
  const second = await nth(played, 'permission.requested', 2)
  answerApproval(played.run.dir, second.request, person({ updated_input: { command: 'touch changed' }, home }))
  await played.result
  expect(decisions(played.recorded)).toMatchObject([
    { decision: { behavior: 'deny', source: 'cliArg', rule: 'Bash(rm:*)' } },
    { decision: { behavior: 'allow', source: 'human' } },
  ])
  expect(readdirSync(played.cwd)).toContain('changed')
  expect(readdirSync(played.cwd)).not.toContain('other')
})

test('a question that nobody answers in time is denied, and late answers are told so', async () => {
  const played = await begin(['touch made'], { permissionWaitMs: 1 })
  const { request, deadline } = await nth(played, 'permission.requested')
  const file = JSON.parse(readFileSync(join(played.run.dir, 'permissions', `${request}.json`), 'utf8')) as ApprovalFile
  expect([deadline, file.deadline]).toEqual([file.asked_at + 1, file.asked_at + 1])
  await played.result
  expect(decisions(played.recorded)).toMatchObject([
    { decision: { behavior: 'deny', source: 'nobody', reason: 'nobody answered in time' }, by: 'the deadline' },
  ])
  expect(answerApproval(played.run.dir, request, person({ home: played.home }))).toMatchObject({
    won: false,
    answer: { by: 'the deadline' },
  })
})

test('without anybody to ask, and no time to wait, nothing is written and the call is denied at once', async () => {
  const played = await begin(['touch made'], {})
  await played.result
  expect(decisions(played.recorded)).toMatchObject([{ decision: { behavior: 'deny', source: 'nobody' } }])
  expect(existsSync(join(played.run.dir, 'permissions'))).toBe(false)
})

test('whoever sits at the leader is asked, and an answer from elsewhere takes the question away from there', async () => {
  const held = heldApprover()
  const played = await begin(['touch made', 'touch other'], { approver: held.approver })
  const first = await held.asked(1)
  expect(first.question).toMatchObject({ member: 'ana', task: 'Make it.', call: { input: { command: 'touch made' } } })
  const asked = await nth(played, 'permission.requested')
  answerApproval(played.run.dir, asked.request, person({ home: played.home }))
  const second = await held.asked(2)
  expect(first.signal.aborted).toBe(true)
  second.answer({ ...yes, by: 'this terminal' })
  expect(await played.result).toMatchObject({ status: 'completed' })
  expect(decisions(played.recorded).map(({ by }) => by)).toEqual(['another terminal', 'this terminal'])
})

test('of two answers at once the first file counts, and the approver is told who was faster', async () => {
  const held = heldApprover()
  const played = await begin(['touch made'], { approver: held.approver })
  const { answer } = await held.asked(1)
  const { request } = await nth(played, 'permission.requested')
  answerApproval(played.run.dir, request, person({ behavior: 'deny', advice: 'No.', home: played.home }))
  answer(yes)
  await played.result
  expect(decisions(played.recorded)).toMatchObject([{ decision: { behavior: 'deny' }, by: 'another terminal' }])
  expect(warnings(played.recorded)).toMatchObject([
    { code: 'answered_already', message: 'ana, Bash: denied by another terminal: No.; this came first, and counts' },
  ])
})

test('an aborted run withdraws its questions', async () => {
  const played = await begin(['touch made'], { permissionWaitMs: 60_000 })
  const { request } = await nth(played, 'permission.requested')
  played.run.abort()
  expect(await played.result).toMatchObject({ status: 'aborted' })
  expect(pendingApprovals([played.run.dir])).toEqual([])
  const late = answerApproval(played.run.dir, request, person({ home: played.home }))
  expect(late).toMatchObject({ won: false, answer: { reason: 'withdrawn: the call is over' } })
})

test('a forged answer allows nothing', async () => {
  const played = await begin(['touch made'], { permissionWaitMs: 60_000 })
  const { request } = await nth(played, 'permission.requested')
  const forged = { v: 1, id: request, behavior: 'allow', source: 'human', reason: '', scope: 'once', by: 'me', at: 1 }
  writeFileSync(join(played.run.dir, 'permissions', `${request}.answer.json`), JSON.stringify(forged))
  await played.result
  expect(decisions(played.recorded)).toMatchObject([{ decision: { behavior: 'deny', source: 'nobody' } }])
  expect(decisions(played.recorded)[0]?.decision.reason).toContain("not signed with this run's key")
})

test.for(['in-process', 'process'])(
  'a yes to a call that was put in the place of another runs neither: %s',
  async (executor) => {
    const { ana } = duo.workers
    const apart = { ...duo, workers: { ana: { ...ana, executor } } }
    const played = await play(apart, wants('touch made'), { permissionWaitMs: 60_000 })
    const { request } = await nth(played, 'permission.requested')
    const file = join(played.run.dir, 'permissions', `${request}.json`)
    const question = JSON.parse(readFileSync(file, 'utf8')) as ApprovalFile
    writeFileSync(file, JSON.stringify({ ...question, input: { command: 'touch harmless' } }))
    expect(pendingApprovals([played.run.dir])[0]?.request.input).toEqual({ command: 'touch harmless' })
    answerApproval(played.run.dir, request, person({ home: join(played.cwd, 'home') }))
    await played.result
    expect(['made', 'harmless'].map((name) => existsSync(join(played.cwd, name)))).toEqual([false, false])
    expect(decisions(played.recorded)).toMatchObject([{ decision: { behavior: 'deny', source: 'nobody' } }])
  },
)

describe('a classifier', () => {
  const judged = (says: string, commands: readonly string[], options: Partial<RunTeamOptions> = {}) =>
    play(
      duo,
      { ...wants(...commands), 'permission-classifier': { steps: [{ say: says }] } },
      { classifier: 'scripted/script.yaml', ...options },
    )

  test('that allows a call lets it run, and nobody is asked', async () => {
    const played = await judged('ALLOW: it makes a file', ['touch made'])
    await played.result
    expect(existsSync(join(played.cwd, 'made'))).toBe(true)
    expect(decisions(played.recorded)).toMatchObject([
      { decision: { behavior: 'allow', source: 'classifier', reason: 'it makes a file' }, by: 'scripted/script.yaml' },
    ])
  })

  test('is paid for by the member whose call it judges, and is no turn of it', async () => {
    const played = await judged('ALLOW: it makes a file', ['touch made'])
    const { members } = await played.result
    const facts = played.recorded.flatMap(({ owner, entry }) => (owner === 'ana' ? [entry] : []))
    const consulted = facts.filter(({ type }) => type === 'model.consulted')
    expect(consulted).toMatchObject([
      {
        purpose: 'permission',
        call_id: decisions(played.recorded)[0]?.call_id,
        model: 'scripted/script.yaml',
        stop: 'end',
      },
    ])
    const paid = facts.flatMap((entry) =>
      'usage' in entry && entry.type.startsWith('model.') ? [entry.usage.output] : [],
    )
    expect(paid).toHaveLength(3)
    const ana = members.find(({ id }) => id === 'ana@duo')
    expect(ana?.usage.output).toBe(paid.reduce((sum, output) => sum + output, 0))
    expect(ana?.turns).toBe(2)
  })

  test('that refuses three times in a row is passed over for a person, once', async () => {
    const commands = ['touch a', 'touch b', 'touch c', 'touch d', 'touch e']
    const played = await judged('DENY: no files', commands, { permissionWaitMs: 60_000 })
    const { request } = await nth(played, 'permission.requested')
    answerApproval(played.run.dir, request, person({ home: join(played.cwd, 'home') }))
    await played.result
    expect(decisions(played.recorded).map(({ decision: { source, behavior } }) => `${source} ${behavior}`)).toEqual([
      'classifier deny',
      'classifier deny',
      'classifier deny',
      'human allow',
      'classifier deny',
    ])
  })

  test('is not heard where a rule asks for a person', async () => {
    const played = await judged('ALLOW: fine', ['touch made'], { rules: { ask: ['Bash(touch:*)'] } })
    await played.result
    expect(decisions(played.recorded)).toMatchObject([{ decision: { behavior: 'deny', source: 'nobody' } }])
  })

  test('without an opinion leaves the question to people', async () => {
    const played = await judged('ASK: who knows', ['touch made'], { permissionWaitMs: 60_000 })
    const { request } = await nth(played, 'permission.requested')
    answerApproval(played.run.dir, request, person({ home: join(played.cwd, 'home') }))
    await played.result
    expect(decisions(played.recorded)).toMatchObject([{ decision: { behavior: 'allow', source: 'human' } }])
  })
})
