import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Entry } from '../../src/protocol/facts/entry.ts'
import { callsOf, textOf } from '../../src/protocol/conversation/message.ts'
import { consumptionOf, countedCells, page } from '../tools/team-costs.ts'
import { pair } from './scenes/pair.ts'
import { research } from './scenes/research.ts'
import { review } from './scenes/review.ts'
import { environment, type Scene } from './scenes/scene.ts'
import { scenes } from './scenes/scenes.ts'
import { solo } from './scenes/solo.ts'
import { cassetteOf, playScene, setUp, type PlayedScene, type SceneStage } from './support/play-scene.ts'

interface Replayed extends PlayedScene, SceneStage {
  /** The answer of the team. */
  readonly answer: string
}

/** Plays the cassette of a scene in a repository of its own, with no key and no server. */
async function replay(scene: Scene): Promise<Replayed> {
  const stage = setUp(scene)
  onTestFinished(stage.remove)
  const played = await playScene(scene, stage, { model: `recorded/${cassetteOf(scene)}` })
  expect(played.result).toMatchObject({ status: 'completed', reason: expect.not.stringContaining('step') as string })
  return { ...stage, ...played, answer: played.result.result ?? '' }
}

const entriesOf = <Type extends Entry['type']>({ facts }: PlayedScene, type: Type) =>
  facts.flatMap(({ owner, entry }) => (entry.type === type ? [{ owner, entry: entry as Entry & { type: Type } }] : []))

function tests(dir: string) {
  return spawnSync('node', ['--test', '--test-reporter=tap'], {
    cwd: dir,
    env: environment(dir),
    encoding: 'utf8',
  })
}

const git = (dir: string, ...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: dir, env: environment(dir), encoding: 'utf8' })

/** What each command that was said to fail, or to pass, printed. */
function commandsOf({ facts }: PlayedScene): readonly { readonly description: string; readonly printed: string }[] {
  const messages = facts.flatMap(({ entry }) => (entry.type === 'message.appended' ? [entry.message] : []))
  const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []))
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? callsOf(message) : []))
  return calls.flatMap(({ id, input }) => {
    const { description } = input as { description?: string }
    const result = results.find(({ call_id }) => call_id === id)
    return description === undefined || !result ? [] : [{ description, printed: textOf(result) }]
  })
}

/** A test run that was said to fail did, and the others did not: what the answers claim is what happened. */
function expectHonestRuns(played: PlayedScene, count: number): void {
  const commands = commandsOf(played)
  expect(commands).toHaveLength(count)
  for (const { description, printed } of commands) {
    expect(printed).toMatch(/fail/.test(description) ? /fail 1\b[^]*\[exit 1\]$/ : /fail 0\b/)
  }
}

/** Every quotation of a report, `file:line "words"`, that is not in the file. */
function misquoted(played: PlayedScene, dir: string): readonly string[] {
  const bodies = entriesOf(played, 'mail.sent').map(({ entry }) => entry.envelope.body)
  const quotations = bodies.flatMap((body) => [...body.matchAll(/((?:src|docs)\/[\w./-]+:\d+) "([^"]+)"/g)])
  expect(quotations.length).toBeGreaterThan(3)
  return quotations.flatMap(([whole, place = '', words = '']) => {
    const [, line = ''] = cited(place, dir)[0] ?? []
    return line.includes(words) ? [] : [whole]
  })
}

/** Every `file:line` of a text, with the line that stands there. */
function cited(text: string, dir: string): readonly (readonly [place: string, line: string])[] {
  return [...text.matchAll(/\b((?:src|test|docs)\/[\w./-]+|CONTRIBUTING\.md):(\d+)/g)].map(
    ([place, file = '', line]) => {
      const found = existsSync(join(dir, file))
        ? readFileSync(join(dir, file), 'utf8').split('\n')[Number(line) - 1]
        : ''
      return [place, found?.trim() ?? ''] as const
    },
  )
}

describe.each(scenes)('$team', (scene) => {
  test('every call ran as the team file and the command line allow, nothing was refused or dropped', async () => {
    const played = await replay(scene)
    const decided = entriesOf(played, 'permission.decided').map(({ entry }) => entry.decision.behavior)
    expect(decided.length).toBeGreaterThan(4)
    expect(decided.filter((behavior) => behavior !== 'allow')).toEqual([])
    expect(entriesOf(played, 'call.finished').filter(({ entry }) => entry.is_error)).toEqual([])
    expect(entriesOf(played, 'warning.raised')).toEqual([])
    expect(entriesOf(played, 'event.dropped')).toEqual([])
    expect(entriesOf(played, 'model.settled')).toHaveLength(consumptionOf(scene).requests)
  })

  test('every place that the answer and the reports name is there', async () => {
    const { answer, repository, ...played } = await replay(scene)
    const reports = entriesOf(played, 'mail.sent').filter(({ entry }) => entry.envelope.kind === 'result')
    // Reports speak of the files as they were when they were written; the answer of how they are.
    expect(reports.length).toBeGreaterThan(0)
    for (const { entry } of reports) {
      expect(entry.envelope.body).toMatch(/\w:\d+/)
      expect(entry.envelope.body.split('\n').length).toBeLessThanOrEqual(20)
    }
    const places = cited(answer, repository)
    expect(places.length).toBeGreaterThan(0)
    expect(places.filter(([, line]) => line === '')).toEqual([])
  })

  test('the documentation counts what the cassette holds', () => {
    const rows = readFileSync(page, 'utf8').replaceAll(/ +/g, ' ')
    expect(rows).toContain(`| ${countedCells(consumptionOf(scene)).join(' | ')} |`)
  })
})

test('solo mends the fault, and its new test holds the mend fixed', async () => {
  const { repository, answer, ...played } = await replay(solo)
  expectHonestRuns(played, 2)
  expect(git(repository, 'diff', '--stat')).toMatch(/2 files changed/)
  expect(tests(repository).stdout).toMatch(/# pass 4\n# fail 0\n/)
  git(repository, 'checkout', '--', 'src')
  expect(tests(repository).stdout).toMatch(/not ok \d - a last page that is not full is counted/)
  expect(cited(answer, repository)).toEqual([['src/paginate.js:3', expect.stringContaining('Math.') as string]])
})

test('pair mends the fault, and then what the navigator found in the mend', async () => {
  const played = await replay(pair)
  const { repository } = played
  expectHonestRuns(played, 4)
  expect(tests(repository).stdout).toMatch(/# pass 3\n# fail 0\n/)
  expect(readFileSync(join(repository, 'src/load-once.js'), 'utf8')).toContain('loads.get(key) === loading &&')
  const requests = entriesOf(played, 'request.opened').map(({ entry }) => entry.worker)
  expect(requests).toEqual(['navigator', 'driver', 'navigator', 'driver', 'navigator'])
  const writes = entriesOf(played, 'call.started').filter(({ entry }) => entry.tool === 'Edit')
  expect(new Set(writes.map(({ owner }) => owner))).toEqual(new Set(['driver']))
})

test('review finds the hole in one round and leaves the tree as it was', async () => {
  const played = await replay(review)
  const { repository, answer } = played
  expect(answer).toMatch(/^\*\*Verdict: reject\.\*\*/)
  const places = new Map(cited(answer, repository))
  expect(places.get('src/archive.js:6')).toContain('exec(')
  expect(places.get('src/server.js:8')).toContain("searchParams.get('name')")
  expect(entriesOf(played, 'gather.settled')).toHaveLength(1)
  expect(git(repository, 'status', '--porcelain', '--', 'src')).toBe(' M src/server.js\n?? src/archive.js\n')
  expect(readFileSync(join(repository, 'src/archive.js'), 'utf8')).toBe(review.uncommitted?.['src/archive.js'])
})

test('research answers with what the skeptic left standing', async () => {
  const played = await replay(research)
  const { repository, answer } = played
  const requests = entriesOf(played, 'request.opened').map(({ entry }) => entry.worker)
  expect(requests).toEqual(['researcher-1', 'researcher-2', 'researcher-3', 'skeptic'])
  expect(misquoted(played, repository)).toEqual([])
  const places = new Map(cited(answer, repository))
  expect(places.get('src/nightly.js:4')).toContain('runJob(() => sendMail')
  expect(places.get('docs/operations.md:3')).toBe('Mail that cannot be delivered is tried twice more.')
  expect(git(repository, 'status', '--porcelain', '--', 'src', 'docs')).toBe('')
})
