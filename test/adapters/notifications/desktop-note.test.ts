import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { showDesktopNote } from '../../../src/adapters/notifications/desktop-note.ts'

/** A search path with one program, which keeps its words. */
function programNamed(name: string, end = 0): { readonly path: string; words(): readonly string[] } {
  const path = mkdtempSync(join(tmpdir(), 'troupe-note-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  const script = `#!/bin/sh\nprintf '%s\\n' "$@" > '${path}/words'\nexit ${end}\n`
  writeFileSync(join(path, name), script, { mode: 0o755 })
  return { path, words: () => readFileSync(join(path, 'words'), 'utf8').trimEnd().split('\n') }
}

const note = { title: 'review', text: '"; do shell script "touch made' }

describe('a note on the desktop', () => {
  test('is given to notify-send as words', async () => {
    const { path, words } = programNamed('notify-send')
    expect(await showDesktopNote(note, { platform: 'linux', env: { PATH: path } })).toBeNull()
    expect(words().slice(-3)).toEqual(['--', note.title, note.text])
  })

  test('is given to osascript as words, never as script', async () => {
    const { path, words } = programNamed('osascript')
    expect(await showDesktopNote(note, { platform: 'darwin', env: { PATH: path } })).toBeNull()
    expect(words().slice(-2)).toEqual([note.title, note.text])
    expect(words().filter((word) => word.includes(note.text))).toHaveLength(1)
  })

  test('that was not shown says why', async () => {
    const { path } = programNamed('notify-send', 3)
    expect(await showDesktopNote(note, { platform: 'linux', env: { PATH: path } })).toBe('notify-send ended with 3')
    const bare = await showDesktopNote(note, { platform: 'linux', env: { PATH: '/nowhere' } })
    expect(bare).toContain('notify-send')
    expect(await showDesktopNote(note, { platform: 'sunos', env: {} })).toContain('sunos')
  })
})
