import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { clearInterrupted, noteBegun } from '../../../src/adapters/sandbox/begun-notes.ts'
import { replaceFile } from '../../../src/adapters/fs/replace-file.ts'
import { readPlainFile } from '../../../src/adapters/fs/plain-file.ts'

const nothing = { repositories: [], worktrees: [], gitFiles: [], files: [], shut: [], links: new Map(), seen: [] }
const begun = { before: nothing, acts: new Map<string, number>(), watched: ['/elsewhere/shop'] }
const dayMs = 24 * 3_600_000

function someHome(): { readonly home: string; names(): readonly string[] } {
  const home = mkdtempSync(join(tmpdir(), 'troupe-notes-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return { home, names: () => readdirSync(join(home, '.troupe/sandboxed')) }
}

/** As a process of another container writes a note: its ids mean nothing here. */
function notedElsewhere(home: string): void {
  const { path } = noteBegun(home, begun)
  const read = readPlainFile(path)
  if (!('text' in read)) throw new Error(`${path} cannot be read`)
  const owner = { pid: process.pid, started: 1, machine: 'another-boot-1' }
  replaceFile(path, JSON.stringify({ ...(JSON.parse(read.text) as object), owner }))
}

test('processes of several containers with one id leave the notes of each other alone', async () => {
  const { home, names } = someHome()
  const notes = [noteBegun(home, begun)]
  // The module read anew counts anew, as in another container.
  const again = new URL('../../../src/adapters/sandbox/begun-notes.ts?again', import.meta.url).href
  const other = (await import(again)) as { readonly noteBegun: typeof noteBegun }
  for (let count = 0; count < 3; count += 1) notes.push(other.noteBegun(home, begun))
  expect(names()).toHaveLength(4)
  notes[0]?.remove()
  expect(names()).toHaveLength(3)
})

test('a note of which nobody here can know the end stands for a week, and then is told', async () => {
  const { home, names } = someHome()
  notedElsewhere(home)
  expect(await clearInterrupted(home, { now: Date.now() + 6 * dayMs })).toBe('')
  expect(names()).toHaveLength(1)
  expect(await clearInterrupted(home, { now: Date.now() + 8 * dayMs })).toContain('look at /elsewhere/shop')
  expect(names()).toEqual([])
})

test('the note of a command that goes on here stands, however old', async () => {
  const { home, names } = someHome()
  noteBegun(home, begun)
  expect(await clearInterrupted(home, { now: Date.now() + 80 * dayMs })).toBe('')
  expect(names()).toHaveLength(1)
})
