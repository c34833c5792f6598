import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openOwned } from '../../../src/runtime/journals/ledger.ts'
import { openTeamJournal } from '../../../src/runtime/journals/team-journal.ts'
import { clearLeftovers } from '../../../src/runtime/upkeep/clear-leftovers.ts'
import { openMailbox } from '../../../src/runtime/mail/open-mailbox.ts'
import { sendMail } from '../../../src/runtime/mail/send-mail.ts'
import { createRun, type RunDirectory } from '../../../src/adapters/sessions/run-directory.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import { retentionPolicy } from '../../../src/protocol/team/retention.ts'
import { countingMint } from '../../contracts/mail-world.ts'
import { sampleTeam } from '../../contracts/sample-team.ts'
import { everyEntry } from '../../support/every-entry.ts'
import { factsOf, play, tempDir } from '../support/stage.ts'

const hour = 3_600_000
const month = 720 * hour
const ended: Fact = { type: 'team.ended', status: 'completed', reason: 'answered', result: 'Done.' }
const started: Fact = { type: 'team.started', run: 'r', team: 'demo', hash: 'h', task: 'Go.' }

const at = (now: number) => ({ now: () => now, mint: countingMint(now) })

interface Scene {
  readonly run: RunDirectory
  readonly home: string
  /** Artifacts, dead letters and journals of people that are left. */
  left(): readonly string[]
}

/** A run at time 0 that left one of everything. */
async function scene(facts: readonly Fact[], retention?: Parameters<typeof retentionPolicy>[0]): Promise<Scene> {
  const cwd = tempDir()
  const home = join(cwd, 'home')
  const team = { ...sampleTeam(['lead', 'writer']), ...(retention && { retention: retentionPolicy(retention) }) }
  const ulid = '01J00000000000000000000001'
  const run = createRun({
    root: join(cwd, '.troupe/runs'),
    home,
    team,
    task: 'Go.',
    cwd,
    git_head: null,
    ulid,
    created: 0,
  })
  const { journal } = openTeamJournal({ run, clock: at(0) }, 'a')
  journal.append(facts)
  journal.close()
  await sendMail(run.dir, { to: 'writer@demo', text: 'Mind the tests.', key: 'ci-4711', home })
  for (const folder of [run.artifacts, join(run.mail, 'writer/dead')]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(run.artifacts, 'a'.repeat(64)), 'long')
  writeFileSync(join(run.mail, 'writer/dead/notes.txt'), 'junk')
  const isPerson = (name: string) => name.startsWith('user-')
  const left = () => [
    ...(existsSync(run.artifacts) ? readdirSync(run.artifacts).map(() => 'artifact') : []),
    ...readdirSync(join(run.mail, 'writer/dead')).map(() => 'letter'),
    ...readdirSync(join(run.dir, 'journal'))
      .filter(isPerson)
      .map(() => 'key'),
    ...readdirSync(run.lease)
      .filter(isPerson)
      .map(() => 'lease'),
  ]
  return { run, home, left }
}

const everything = ['artifact', 'letter', 'key', 'lease']

test('an ended run keeps what it left for thirty days, then only what its journals need', async () => {
  const { run, home, left } = await scene([started, ended])
  expect(clearLeftovers(run.dir, at(month - 1))).toBe(0)
  expect(left()).toEqual(everything)
  expect(clearLeftovers(run.dir, at(month))).toBe(4)
  expect(left()).toEqual([])
  expect(readdirSync(join(run.dir, 'journal')).toSorted()).toEqual(['team.jsonl'])
  const writer = openMailbox(run.dir, 'writer@demo', { home })
  expect(writer.receive().map(({ body }) => body)).toEqual(['Mind the tests.'])
  writer.close()
  expect(clearLeftovers(run.dir, at(month))).toBe(0)
})

test('each kind has its own time', async () => {
  const { run, left } = await scene([started, ended], { artifacts: '1h', dead_letters: '2h', keys: '3h' })
  const steps = [1, 2, 3].map((hours) => {
    clearLeftovers(run.dir, at(hours * hour))
    return left()
  })
  expect(steps).toEqual([['letter', 'key', 'lease'], ['key', 'lease'], []])
})

test.each<readonly [string, readonly Fact[]]>([
  ['goes on or was interrupted', [started]],
  ['was opened again', [started, ended, { type: 'team.reopened' }]],
])('a run that %s keeps all of it, however old', async (_, facts) => {
  const { run, left } = await scene(facts)
  expect(clearLeftovers(run.dir, at(100 * month))).toBe(0)
  expect(left()).toEqual(everything)
})

test('a run that somebody leads in this moment is left alone', async () => {
  const { run, left } = await scene([started, ended])
  const { journal } = openTeamJournal({ run, clock: at(0) }, 'b')
  expect(clearLeftovers(run.dir, at(month))).toBe(0)
  expect(left()).toEqual(everything)
  journal.close()
})

test('a key under which somebody sends in this moment is kept, with its lease', async () => {
  const { run, left } = await scene([started, ended])
  const [person = ''] = readdirSync(run.lease).filter((name) => name.startsWith('user-'))
  const { journal } = openOwned({ run, clock: at(0) }, { owner: person, incarnation: 'c' }, everyEntry)
  expect(clearLeftovers(run.dir, at(month))).toBe(2)
  expect(left()).toEqual(['key', 'lease'])
  journal.close()
})

test('where a run ends, that is done whose time is none', async () => {
  const { run, recorded, result } = await play(
    {
      name: 'duo',
      retention: { artifacts: '0s', dead_letters: '0s' },
      coordinator: { prompt: 'You lead.' },
      workers: { ana: { description: 'Looks.', prompt: 'You look.' } },
    },
    { lead: { steps: [{ say: 'Done.' }] } },
  )
  mkdirSync(join(run.dir, 'artifacts'))
  writeFileSync(join(run.dir, 'artifacts', 'a'.repeat(64)), 'long')
  expect((await result).status).toBe('completed')
  expect(factsOf(recorded, 'team').at(-1)).toBe('team.ended')
  expect(readdirSync(join(run.dir, 'artifacts'))).toEqual([])
})
