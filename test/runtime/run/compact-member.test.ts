import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { textOf } from '../../../src/protocol/conversation/message.ts'
import { readJournal } from '../../../src/adapters/sessions/read-journal.ts'
import { conversationOf } from '../../../src/rules/conversation/context-window.ts'
import { compactMember, NotCompacted } from '../../../src/runtime/run/compact-member.ts'
import { forkRun } from '../../../src/runtime/run/fork-run.ts'
import { continueTeam } from '../../../src/runtime/run/continue-team.ts'
import { runTeam } from '../../../src/runtime/run/run-team.ts'
import { readTodos } from '../../../src/runtime/tasks/read-tasks.ts'
import { loadTeam } from '../../../src/runtime/team-files/load-team.ts'
import { modelServer } from '../../adapters/models/support/model-server.ts'
import { bareEnv } from '../../support/bare-env.ts'
import { streamOf, turnsIn, type Speech } from '../../support/vendors/speech.ts'
import { play, tempDir } from '../support/stage.ts'

const team = {
  name: 'duo',
  coordinator: { prompt: 'You lead.' },
  workers: { ana: { description: 'Looks.', prompt: 'You look.', tools: ['LS'] } },
}
const delegation = { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Look here.' }] } }] }
const long = 'I found this and that. '.repeat(80)
const summary = { steps: [{ expect: 'the doors', say: 'Facts: one folder.' }] }

function conversationIn(dir: string, member: string) {
  return conversationOf(readJournal(join(dir, 'journal', `${member}.jsonl`)).entries)
}

test('a member of a run that has ended is summarised by its own model, and goes on from there', async () => {
  const script = {
    lead: { steps: [delegation, { say: `First. ${long}` }, { expect: 'Facts: one folder.', say: 'Second.' }] },
    ana: { steps: [{ say: long }] },
    'lead-summary': summary,
  }
  const { cwd, run, result } = await play(team, script)
  await result
  const home = join(cwd, 'home')
  const wish = { member: 'lead', focus: 'the doors', home, env: bareEnv }
  const { before, after, by } = await compactMember(run.dir, wish)
  expect(by).toBe('scripted/script.yaml')
  expect(after).toBeLessThan(before * 0.6)
  const texts = conversationIn(run.dir, 'lead').messages.map((message) =>
    message.role === 'tool' ? '' : textOf(message),
  )
  const told = texts.find((text) => text.includes('Facts: one folder.')) ?? ''
  const kept = /The whole older part is in (.*)/.exec(told)?.[1] ?? ''
  expect(readFileSync(kept, 'utf8')).toContain('I found this and that.')
  expect(texts.at(-1)).toContain('First.')
  const more = await continueTeam(run.dir, { text: 'And now?', home, env: bareEnv })
  expect(await more.result).toMatchObject({ status: 'completed', result: 'Second.' })
})

test('the todo list stands in the summary, after a second one and in another life, too', async () => {
  const todo = (...contents: readonly string[]) => ({
    tool: 'TodoWrite',
    input: { todos: contents.map((content) => ({ content, status: 'pending' })) },
  })
  const lister = { ...team, workers: { ana: { ...team.workers.ana, tools: ['LS', 'TodoWrite'] } } }
  const script = {
    lead: {
      steps: [delegation, { say: 'First.' }, delegation, { say: 'Second.' }],
    },
    ana: {
      steps: [
        { say: long, calls: [todo('Count the doors', 'Count the locks')] },
        { say: long },
        { say: 'I count.', calls: [todo('Count the locks')] },
        { say: long },
      ],
    },
    'ana-summary': { steps: [{ say: 'Facts: doors.' }] },
  }
  const { cwd, run, result } = await play(lister, script)
  await result
  const home = join(cwd, 'home')
  const compacts = () => compactMember(run.dir, { member: 'ana', home, env: bareEnv })
  expect((await compacts()).summary).toContain('Your todo list:\n[ ] Count the doors\n[ ] Count the locks')
  const more = await continueTeam(run.dir, { text: 'And now?', home, env: bareEnv })
  await more.result
  expect((await compacts()).summary).toContain('Your todo list:\n[ ] Count the locks\n')
  expect(readTodos(run.dir)).toEqual([{ member: 'ana', content: 'Count the locks', status: 'pending' }])
})

test('a member that waits does it at once, though no question comes', async () => {
  const script = {
    lead: { steps: [{ say: long, ...delegation }, { say: 'Done.' }] },
    ana: { steps: [{ say: 'I look …', hang: true }] },
  }
  const { cwd, run, recorded, result } = await play(team, script)
  await expect.poll(() => recorded.some(({ entry }) => entry.type === 'agent.parked')).toBe(true)
  const compacted = await compactMember(run.dir, { member: 'lead', home: join(cwd, 'home'), env: bareEnv })
  expect(compacted).toMatchObject({ trigger: 'manual' })
  expect(conversationIn(run.dir, 'lead').wanted).toBeNull()
  run.abort()
  await result
})

test('a lead that does not run is reminded of its open requests and of the board', async () => {
  const script = {
    lead: {
      steps: [
        { say: long, calls: [{ tool: 'TaskCreate', input: { subject: 'Oil the locks' } }] },
        { say: long, ...delegation },
        { say: 'Done.' },
      ],
    },
    ana: { steps: [{ say: 'I look …', hang: true }] },
  }
  const { cwd, run, recorded, result } = await play({ ...team, tasks: {} }, script)
  await expect.poll(() => recorded.some(({ entry }) => entry.type === 'agent.parked')).toBe(true)
  const home = join(cwd, 'home')
  const dir = forkRun(run.dir, { at: recorded.findLast(({ owner }) => owner === 'lead')?.entry.id ?? '', home })
  run.abort()
  await result
  const { summary: told } = await compactMember(dir, { member: 'lead', home, env: bareEnv })
  expect(told).toMatch(/Request \S+ of ana is open: Look here\./)
  expect(told).toMatch(/Task \S+ of the board \(open\): Oil the locks/)
})

test.each(['settings', 'team'] as const)('a provider that the %s name writes the summary', async (place) => {
  const speeches: readonly Speech[] = [{ text: long, calls: [{ id: 'l1', name: 'LS', input: {} }] }, { text: long }]
  const server = await modelServer(({ text, body }, response) => {
    const speech = text.includes('the doors') ? { text: 'Facts: one folder.' } : speeches[turnsIn('chat', body)]
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(streamOf('chat', speech ?? { text: 'Nothing more.' }))
  })
  onTestFinished(server.close)
  const [cwd, home] = [tempDir(), tempDir()]
  const providers = { mine: { base_url: `${server.root}/v1` } }
  mkdirSync(join(home, '.troupe'))
  if (place === 'settings') writeFileSync(join(home, '.troupe/settings.json'), JSON.stringify({ providers }))
  const named = { ...team, model: 'mine/m' }
  const servers = () => Promise.resolve(providers)
  const sources = { cwd, env: bareEnv, servers }
  const loaded = await loadTeam(place === 'team' ? { ...named, providers } : named, sources)
  const how = { cwd, home, env: bareEnv, policyRoot: join(home, 'none') }
  const run = runTeam(loaded, { task: 'Begin.', trusted: place === 'team', ...how })
  await run.result
  const wish = { member: 'lead', focus: 'the doors', home, env: bareEnv, policyRoot: how.policyRoot }
  const { by, summary: told } = await compactMember(run.dir, wish)
  expect(by).toBe('mine/m')
  expect(told).toContain('Facts: one folder.')
})

test('a short talk whose summary would be longer stays as it is', async () => {
  const script = {
    lead: { steps: [delegation, { say: 'First.' }, { ...delegation, say: 'Again.' }, { say: 'Second.' }] },
    ana: { steps: [{ say: 'One door.' }, { say: 'I look …', hang: true }] },
  }
  const { cwd, run, recorded, result } = await play(team, script)
  await result
  const wish = { member: 'lead', home: join(cwd, 'home'), env: bareEnv }
  const journal = join(run.dir, 'journal', 'lead.jsonl')
  const before = readFileSync(journal, 'utf8')
  await expect(compactMember(run.dir, wish)).rejects.toThrow('would not become shorter')
  expect(conversationIn(run.dir, 'lead').messages.some(({ role }) => role === 'assistant')).toBe(true)
  expect(readFileSync(journal, 'utf8')).not.toContain('context.compacted')
  expect(readFileSync(journal, 'utf8')).toContain(before)
  const more = await continueTeam(run.dir, { text: 'And now?', home: wish.home, env: bareEnv })
  more.subscribe((fact) => recorded.push(fact))
  const isParked = () => recorded.findLast(({ owner }) => owner === 'lead')?.entry.type === 'agent.parked'
  await expect.poll(isParked).toBe(true)
  const told = await compactMember(run.dir, wish)
  expect([told.after, told.dropped, told.summary]).toEqual([told.before, [], undefined])
  more.abort()
  await more.result
})

test('a name that nobody has, and a conversation that holds nothing', async () => {
  const { cwd, run, result } = await play(team, { lead: { steps: [{ say: 'Done.' }] } })
  await result
  const wish = { home: join(cwd, 'home'), env: bareEnv }
  await expect(compactMember(run.dir, { member: 'leed', ...wish })).rejects.toThrow('Did you mean "lead"?')
  await expect(compactMember(run.dir, { member: 'ana', ...wish })).rejects.toThrow(NotCompacted)
})
