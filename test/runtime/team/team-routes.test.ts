import { textOf } from '../../../src/protocol/conversation/message.ts'
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { applyNotices, emptyNotices } from '../../../src/projections/screen/notices.ts'
import { systemClock } from '../../../src/runtime/actors/clock.ts'
import { forkRun } from '../../../src/runtime/run/fork-run.ts'
import { resumeTeam } from '../../../src/runtime/run/resume-team.ts'
import { recordOfRun } from '../../../src/runtime/runs/read-runs.ts'
import { play } from '../support/stage.ts'

const duo = {
  name: 'duo',
  coordinator: { prompt: 'You lead.', gather: { on_failure: { retry: 0, then: 'continue' } } },
  workers: { ana: { description: 'Looks.', prompt: 'You look.' }, bo: { description: 'Looks.', prompt: 'You look.' } },
}
const delegation = {
  calls: [{ tool: 'Delegate', input: { subtasks: ['ana', 'bo'].map((worker) => ({ worker, task: 'Look.' })) } }],
}

test('a result that was tampered with is set aside, and the coordinator reads what its writer wrote', async () => {
  const { run, recorded, result } = await play(duo, {
    lead: {
      steps: [delegation, { expect: ['could not be delivered', '| true words'], say: 'Both of them, and {{mail.bo}}' }],
    },
    ana: { steps: [{ say: 'true words' }] },
    bo: { steps: [{ say: 'seen' }] },
  })
  let tampered = ''
  run.subscribe(({ owner, entry }) => {
    if (owner !== 'ana' || entry.type !== 'mail.sent') return
    // Journaled, and its file appears in the same step: changed before the lead looks.
    queueMicrotask(() => {
      const inbox = join(run.dir, 'mail/lead/new')
      const file = readdirSync(inbox).find((name) => name.startsWith('ana-')) ?? ''
      tampered = join(inbox, file)
      writeFileSync(tampered, readFileSync(tampered, 'utf8').replace('true words', 'false words'))
    })
  })
  expect(await result).toMatchObject({ status: 'completed', result: 'Both of them, and seen' })
  expect(tampered).not.toBe('')
  const died = recorded.flatMap(({ owner, entry }) => (entry.type === 'mail.died' ? [{ owner, entry }] : []))
  expect(died).toMatchObject([{ owner: 'lead', entry: { reason: expect.stringContaining('signature') as string } }])
  const settled = recorded.flatMap(({ entry }) => (entry.type === 'request.settled' ? [entry] : []))
  expect(settled.find(({ worker }) => worker === 'ana')).toMatchObject({ status: 'done' })
  const notices = emptyNotices()
  for (const each of recorded) applyNotices(notices, each)
  expect(notices.filter(({ text }) => text.includes(died[0]?.entry.mail_id ?? 'nothing died'))).toHaveLength(1)
})

test('a task that its worker cannot take in has failed at once, and is handed out once more', async () => {
  const { run, recorded, result } = await play(
    { ...duo, coordinator: { ...duo.coordinator, gather: { timeout: '10m', on_failure: { retry: 1 } } } },
    {
      lead: { steps: [delegation, { say: 'ana: {{mail.ana}}, bo: {{mail.bo}}' }] },
      ana: { steps: [{ say: 'found' }] },
      bo: { steps: [{ say: 'seen' }] },
    },
  )
  let torn = 0
  run.subscribe(({ owner, entry }) => {
    if (owner !== 'lead' || entry.type !== 'mail.sent' || entry.envelope.to !== 'ana@duo' || (torn += 1) > 1) return
    queueMicrotask(() => {
      const inbox = join(run.dir, 'mail/ana/new')
      const file = readdirSync(inbox).find((name) => name.startsWith('lead-')) ?? ''
      writeFileSync(join(inbox, file), '{')
    })
  })
  expect(await result).toMatchObject({ status: 'completed', result: 'ana: found, bo: seen' })
  const died = recorded.flatMap(({ owner, entry }) => (entry.type === 'mail.died' ? [{ owner, entry }] : []))
  expect(died).toMatchObject([{ owner: 'ana', entry: { reason: 'it is not JSON' } }])
})

test('the same when it was sent before its leader ended and is looked at by another', async () => {
  const patient = {
    ...duo,
    coordinator: { ...duo.coordinator, gather: { timeout: '20s', on_failure: { retry: 0, then: 'continue' } } },
  }
  const { cwd, run, result } = await play(patient, {
    lead: { steps: [delegation, { say: 'ana: {{mail.ana}}, bo: {{mail.bo}}' }] },
    ana: { steps: [{ say: 'true words' }] },
    bo: { steps: [{ say: 'seen' }] },
  })
  expect(await result).toMatchObject({ status: 'completed' })
  const home = join(cwd, 'home')
  const sent = recordOfRun(run.dir).recorded.find(({ owner, entry }) => owner === 'ana' && entry.type === 'mail.sent')
  const dir = forkRun(run.dir, { at: sent?.entry.id ?? '', home, clock: systemClock() })
  const inbox = join(dir, 'mail/lead/new')
  const file = join(inbox, readdirSync(inbox).find((name) => name.startsWith('ana-')) ?? '')
  writeFileSync(file, readFileSync(file, 'utf8').replace('true words', 'false words'))
  await (
    await resumeTeam(dir, { home, env: { PATH: process.env['PATH'] } })
  ).result
  const settled = recordOfRun(dir).recorded.flatMap(({ entry }) => (entry.type === 'request.settled' ? [entry] : []))
  expect(settled.find(({ worker }) => worker === 'ana')).toMatchObject({ status: 'done' })
  const told = recordOfRun(dir).recorded.flatMap(({ owner, entry }) =>
    owner === 'lead' && entry.type === 'message.appended' && entry.message.role === 'user'
      ? [textOf(entry.message)]
      : [],
  )
  expect(told.filter((text) => text.includes('signature') && text.includes('| true words'))).toHaveLength(1)
})

test('what a kill tore off a journal is set aside and told, and the run goes on', async () => {
  const { run, recorded, result } = await play(duo, {
    lead: { steps: [delegation, { say: 'Both: {{mail.ana}} {{mail.bo}}' }] },
    ana: { steps: [{ say: 'one' }] },
    bo: { steps: [{ say: 'two' }] },
  })
  writeFileSync(join(run.dir, 'journal/bo.jsonl'), 'not a line\n')
  appendFileSync(join(run.dir, 'journal/bo.jsonl'), '{"v":1,"seq"')
  expect(await result).toMatchObject({ status: 'completed', result: 'Both: one two' })
  const warnings = recorded.flatMap(({ owner, entry }) =>
    owner === 'bo' && entry.type === 'warning.raised' ? [[entry.code, entry.message]] : [],
  )
  expect(warnings).toEqual([
    ['journal_not_json', 'line 1 of the journal of bo (bo.jsonl) is not JSON'],
    ['journal_torn', expect.stringContaining('moved to') as string],
  ])
  expect(readFileSync(join(run.dir, 'journal/bo.jsonl.torn-1'), 'utf8')).toBe('{"v":1,"seq"')
})
