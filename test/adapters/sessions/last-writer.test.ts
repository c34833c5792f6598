import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openJournal } from '../../../src/adapters/sessions/journal.ts'
import { lastWriter } from '../../../src/adapters/sessions/last-writer.ts'
import { readJournal } from '../../../src/adapters/sessions/read-journal.ts'
import { applyStory, emptyStory } from '../../../src/projections/member/agent-story.ts'
import type { TouchedFile } from '../../../src/protocol/tools/tool.ts'
import { everyEntry } from '../../support/every-entry.ts'

const home = mkdtempSync(join(tmpdir(), 'troupe-writers-'))
afterAll(() => rmSync(home, { recursive: true }))

const [one, two] = ['1'.repeat(64), '2'.repeat(64)]
const journals = Object.fromEntries(['lead', 'ann', 'bob', 'gone'].map((name) => [name, join(home, `${name}.jsonl`)]))

function tells(owner: string, at: number, ...files: readonly (TouchedFile | null)[]): void {
  const { journal } = openJournal(join(home, `${owner}.jsonl`), { owner, now: () => at, fold: everyEntry })
  for (const file of files) {
    const call = { type: 'call.finished', call_id: 'c', tool: 'Edit', is_error: false, duration_ms: 1 } as const
    journal.append([file === null ? call : { ...call, file }])
  }
  journal.close()
}

const wrote = (path: string, sha256: string): TouchedFile => ({ path, sha256, wrote: true })

tells('lead', 10, { path: '/a', sha256: one, wrote: false }, { path: '/a', sha256: two, wrote: false })
tells('ann', 20, wrote('/a', one), null, wrote('/b', two))
tells('bob', 30, wrote('/b', one), wrote('/a', one), { path: '/a', sha256: one, wrote: false })
tells('ann', 40, wrote('/c', one))
appendFileSync(join(home, 'ann.jsonl'), `{"half": "${two}`)

describe('who gave a file its content', () => {
  test.each([
    ['/a', one, 'bob'],
    ['/b', one, 'bob'],
    ['/b', two, 'ann'],
    ['/c', one, 'ann'],
    // Read, and not written.
    ['/a', two, undefined],
    ['/c', two, undefined],
    ['/d', one, undefined],
  ])('%s with %s', (real, sha256, member) => {
    expect(lastWriter(journals, { real, sha256 })).toBe(member)
  })
})

test('what a member wrote last of a file is kept, whatever it read then', () => {
  const story = emptyStory()
  for (const entry of readJournal(join(home, 'ann.jsonl')).entries) applyStory(story, entry)
  for (const entry of readJournal(join(home, 'lead.jsonl')).entries) applyStory(story, entry)
  expect(story.written.get('/a')).toBe(one)
})

test('what a member saw last of a file is what its journal says last', () => {
  const story = emptyStory()
  for (const entry of readJournal(join(home, 'lead.jsonl')).entries) applyStory(story, entry)
  expect([...story.seen]).toEqual([['/a', two]])
})
