import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Recorded } from '../../../src/protocol/facts/entry.ts'
import { sendMail } from '../../../src/runtime/mail/send-mail.ts'
import { chooseForMember, NotChosen, type MemberChoice } from '../../../src/runtime/run/choose-for-member.ts'
import { continueTeam } from '../../../src/runtime/run/continue-team.ts'
import { readChoices } from '../../../src/runtime/settings/read-choices.ts'
import { bareEnv } from '../../support/bare-env.ts'
import { play, tempDir, type Played } from '../support/stage.ts'

const team = {
  name: 'duo',
  partition: 'relaxed',
  coordinator: { prompt: 'You lead.', tools: ['Write'] },
  workers: { ana: { description: 'Looks.', prompt: 'You look.', tools: ['Write'] } },
}
const delegation = { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Look here.' }] } }] }
const writes = (file: string) => ({ calls: [{ tool: 'Write', input: { file_path: file, content: 'x' } }] })
const waits = { ana: { steps: [{ say: 'I look …', hang: true }] } }

/** A run whose lead waits for a worker that says nothing. */
async function waiting(lead: readonly object[], options: Parameters<typeof play>[2] = {}) {
  const played = await play(team, { lead: { steps: [delegation, ...lead] }, ...waits }, options)
  await expect.poll(() => has(played.recorded, 'agent.parked')).toBe(true)
  return played
}

function has(recorded: readonly Recorded[], type: string): boolean {
  return recorded.some(({ entry }) => entry.type === type)
}

type Choice = Pick<MemberChoice, 'choose' | 'value'>

function choosing({ cwd, run }: Played, choice: Choice, member = 'lead'): Promise<void> {
  const home = join(cwd, 'home')
  const wish = { home, env: bareEnv, policyRoot: join(home, 'policy'), member, signal: AbortSignal.timeout(60_000) }
  return chooseForMember(run.dir, { ...wish, ...choice } as MemberChoice)
}

async function tell({ cwd, run }: Played, text: string): Promise<void> {
  await sendMail(run.dir, { to: 'lead', text, home: join(cwd, 'home') })
}

const writtenIn = (cwd: string, file: string): boolean => existsSync(join(cwd, file))
const texts = (recorded: readonly Recorded[]): readonly string[] => recorded.map(({ entry }) => JSON.stringify(entry))

test('a mode that a person chooses holds from the next call on, and narrower ones, too', async () => {
  const played = await waiting([writes('a.txt'), { say: 'One.' }, writes('b.txt'), { say: 'Two.' }])
  const { cwd, run, recorded, result } = played
  await choosing(played, { choose: 'mode', value: 'acceptEdits' })
  await tell(played, 'Write a.')
  await expect.poll(() => texts(recorded).some((text) => text.includes('One.'))).toBe(true)
  expect(writtenIn(cwd, 'a.txt')).toBe(true)
  await choosing(played, { choose: 'mode', value: 'plan' })
  await tell(played, 'Write b.')
  await expect.poll(() => texts(recorded).some((text) => text.includes('Two.'))).toBe(true)
  expect(writtenIn(cwd, 'b.txt')).toBe(false)
  const home = join(cwd, 'home')
  expect(await readChoices(run.dir, { home, policyRoot: join(home, 'policy') })).toEqual([
    { name: 'lead', model: 'scripted/script.yaml', mode: 'plan' },
    { name: 'ana', model: 'scripted/script.yaml', mode: 'default' },
  ])
  run.abort()
  await result
})

test('bypassPermissions is chosen where it was opened at the start, and nowhere else', async () => {
  const shut = await waiting([])
  await expect(choosing(shut, { choose: 'mode', value: 'bypassPermissions' })).rejects.toThrow(/opened at the start/)
  shut.run.abort()
  await shut.result
  const opened = await waiting([], { allowBypass: true })
  await choosing(opened, { choose: 'mode', value: 'bypassPermissions' })
  expect(has(opened.recorded, 'mode.chosen')).toBe(true)
  opened.run.abort()
  await opened.result
})

test('a person chooses nothing wider than the managed policy, for a member that runs or rests', async () => {
  const policyRoot = tempDir()
  writeFileSync(join(policyRoot, 'policy.json'), JSON.stringify({ permissions: { defaultMode: 'default' } }))
  const played = await waiting([], { policyRoot, allowBypass: true })
  const wish = { home: join(played.cwd, 'home'), env: bareEnv, policyRoot, member: 'lead', choose: 'mode' } as const
  const wide = () => chooseForMember(played.run.dir, { ...wish, value: 'acceptEdits' })
  await expect(wide()).rejects.toThrow('the managed policy allows no more than default')
  played.run.abort()
  await played.result
  await expect(wide()).rejects.toThrow('the managed policy allows no more than default')
  await chooseForMember(played.run.dir, { ...wish, value: 'plan' })
})

test('a model that a person chooses answers the next question; one that cannot be opened changes nothing', async () => {
  const other = 'agents: { lead: { steps: [{ say: "Not asked." }, { say: "The other says so." }] } }'
  const played = await waiting([], { files: { 'teams/other.yaml': other } })
  const { run, recorded, result } = played
  await expect(choosing(played, { choose: 'model', value: 'scripted/none.yaml' })).rejects.toThrow(NotChosen)
  await choosing(played, { choose: 'model', value: 'scripted/other.yaml' })
  await tell(played, 'Say something.')
  await expect.poll(() => texts(recorded).some((text) => text.includes('The other says so.'))).toBe(true)
  const settled = recorded.flatMap(({ owner, entry }) =>
    owner === 'lead' && entry.type === 'model.settled' ? [entry.model] : [],
  )
  expect(settled).toEqual(['scripted/script.yaml', 'scripted/other.yaml'])
  run.abort()
  await result
})

test('a choice for a run that has ended holds when it goes on', async () => {
  const script = { lead: { steps: [{ say: 'Done.' }, writes('c.txt'), { say: 'Written.' }] } }
  const played = await play(team, script)
  const { cwd, run, result } = played
  await result
  await choosing(played, { choose: 'mode', value: 'acceptEdits' })
  const more = await continueTeam(run.dir, { text: 'Write c.', home: join(cwd, 'home'), env: bareEnv })
  expect(await more.result).toMatchObject({ result: 'Written.' })
  expect(writtenIn(cwd, 'c.txt')).toBe(true)
})

test('a member that speaks, and one that has nothing to do, hear of a choice at once', async () => {
  const speaking = await waiting([])
  await choosing(speaking, { choose: 'mode', value: 'plan' }, 'ana')
  expect(has(speaking.recorded, 'mode.chosen')).toBe(true)
  speaking.run.abort()
  await speaking.result
  const script = { lead: { steps: [delegation, { say: 'I think …', hang: true }] }, ana: { steps: [{ say: 'Done.' }] } }
  const resting = await play(team, script)
  const idles = () => resting.recorded.some(({ owner, entry }) => owner === 'ana' && entry.type === 'member.idled')
  await expect.poll(idles).toBe(true)
  await choosing(resting, { choose: 'model', value: 'scripted/script.yaml' }, 'ana')
  expect(has(resting.recorded, 'model.chosen')).toBe(true)
  resting.run.abort()
  await resting.result
})
