import { mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { storeArtifact } from '../../../src/adapters/sessions/artifacts.ts'

test('a content that a power cut left empty is stored again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-artifacts-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { path } = storeArtifact(folder, 'a long text', false)
  truncateSync(path)
  expect(storeArtifact(folder, 'a long text').path).toBe(path)
  expect(readFileSync(path, 'utf8')).toBe('a long text')
})
