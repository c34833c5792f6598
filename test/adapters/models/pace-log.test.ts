import { execFile } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openPaceFile } from '../../../src/adapters/models/pace-log.ts'

const inNewFolder = (): string => join(mkdtempSync(join(tmpdir(), 'troupe-pace-')), 'pace', 'p.jsonl')

test('a refusal that one process writes holds for all, and of two requests the first line has the turn', () => {
  const file = inNewFolder()
  const [one, other] = [openPaceFile(file, 'one'), openPaceFile(file, 'other')]
  expect([one.write({ type: 'sent', at: 100 }), other.write({ type: 'sent', at: 100 })]).toEqual([true, true])
  one.write({ type: 'refused', at: 200, sent: 100, retry_after_ms: 1_000 })
  expect(other.pace()).toMatchObject({ distance: 1_000, next: 1_200 })
  expect([other.write({ type: 'sent', at: 1_200 }), one.write({ type: 'sent', at: 1_200 })]).toEqual([true, false])
  expect([one.pace(), other.pace()].map(({ next }) => next)).toEqual([2_200, 2_200])
})

test('a line that is not whole yet is left, and one that nobody understands is passed over', () => {
  const file = inNewFolder()
  const log = openPaceFile(file, 'one')
  log.write({ type: 'sent', at: 1 })
  appendFileSync(file, 'no event\n{"type":"refused","at":2,"se')
  expect(log.pace().distance).toBe(0)
  appendFileSync(file, 'nt":1}\n')
  expect(log.pace().distance).toBe(1_000)
})

test('without a file a process keeps its own pace', () => {
  const root = mkdtempSync(join(tmpdir(), 'troupe-pace-'))
  writeFileSync(join(root, 'pace'), 'no folder')
  const log = openPaceFile(join(root, 'pace', 'p.jsonl'), 'one')
  log.write({ type: 'sent', at: 1 })
  log.write({ type: 'refused', at: 2, sent: 1 })
  expect([log.pace().distance, log.write({ type: 'sent', at: 500 })]).toEqual([1_000, false])
})

test('a pace of ten minutes ago says nothing any more', () => {
  const log = openPaceFile(inNewFolder(), 'one')
  log.write({ type: 'sent', at: 1 })
  log.write({ type: 'refused', at: 2, sent: 1, retry_after_ms: 60_000 })
  expect(log.write({ type: 'sent', at: 9_000 })).toBe(false)
  expect(log.write({ type: 'sent', at: 700_000 })).toBe(true)
  expect(log.pace().distance).toBe(0)
})

test('processes that all want each turn never take one twice', async () => {
  const file = inNewFolder()
  mkdirSync(join(file, '..'))
  const at = Date.now()
  const paced = [{ type: 'sent', at: at - 1 }, ...[25, 24, 23].map((ago) => ({ type: 'sent', at: at - ago }))]
  const refused = { type: 'refused', at, sent: at - 1, retry_after_ms: 60 }
  writeFileSync(file, [...paced, refused].map((event) => `${JSON.stringify(event)}\n`).join(''))
  const script = join(import.meta.dirname, 'support/pace-process.ts')
  const ended = await Promise.all(
    Array.from({ length: 3 }, () => promisify(execFile)(process.execPath, [script, file, '10'])),
  )
  const turns = ended.flatMap(({ stdout }) => JSON.parse(stdout) as number[]).toSorted((a, b) => a - b)
  expect(turns).toHaveLength(30)
  const near = turns.filter((time, place) => time - (turns[place - 1] ?? 0) < 20)
  expect(near).toEqual([])
})
