import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** A file size limit makes the kernel write a part and then refuse: the same as a disk that fills up. */
test('a batch that does not fit leaves nothing behind, and the next one that fits is written', () => {
  const home = mkdtempSync(join(tmpdir(), 'troupe-append-'))
  const file = join(home, 'lead.jsonl')
  const module = join(import.meta.dirname, '../../../src/adapters/sessions/journal.ts')
  const script = `
    import { openJournal } from ${JSON.stringify(module)}
    const fold = { version: '', empty: () => null, apply: () => undefined }
    process.on('SIGXFSZ', () => {})
    const { journal } = openJournal(${JSON.stringify(file)}, { owner: 'lead', now: () => 1, fold })
    const warn = (text) => journal.append([{ type: 'warning.raised', code: 'x', message: text }])
    warn('fits')
    try { warn('y'.repeat(4000)); console.log('written') } catch (error) { console.log(error.code) }
    warn('fits too')`
  // What Node keeps of compiled code would not fit either, and end it.
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' }
  // ulimit -f counts blocks of 1,024 bytes in bash.
  const limited = ['-c', 'ulimit -f 2; exec "$0" --input-type=module -e "$1"', process.execPath, script]
  const said = execFileSync('bash', limited, { encoding: 'utf8', env })
  const messages = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { seq: number; message: string })
  rmSync(home, { recursive: true })
  expect(said.trim()).toBe('EFBIG')
  expect(messages.map(({ seq, message }) => [seq, message])).toEqual([
    [1, 'fits'],
    [2, 'fits too'],
  ])
})
