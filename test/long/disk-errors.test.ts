import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, type TestContext } from 'vitest'
import { readJournal } from '../../src/adapters/sessions/read-journal.ts'
import { createRun } from '../../src/adapters/sessions/run-directory.ts'
import { sampleTeam } from '../contracts/sample-team.ts'
import { tempDir } from '../runtime/support/stage.ts'

const chaos = join(import.meta.dirname, '../chaos')
const senders = ['lead', 'ana']
/** Mails of each sender, in lives of so many. */
const [mails, perLife] = [24, 6]

/** The library that makes calls fail; the test is skipped aloud where nothing compiles it. */
function faultyDisk(context: TestContext): string {
  const library = join(tempDir(), 'faulty-disk.so')
  const source = join(chaos, 'faulty-disk.c')
  if (spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl']).status !== 0) {
    console.warn('skipped: no C compiler is here')
    context.skip()
  }
  return library
}

interface Storm {
  readonly dir: string
  readonly home: string
  readonly library: string
  lives: number
  failed: number
}

/** One life of a process; of `every` so many calls about the run one fails, of 0 none. Returns the lines that it printed. */
function live(storm: Storm, every: number, ...args: readonly string[]): readonly string[] {
  storm.lives += 1
  const { dir, home, library, lives } = storm
  const program = join(chaos, 'library-process.ts')
  const faults = { FAULTY_ROOT: dir, FAULTY_SEED: `${lives}`, FAULTY_EVERY: `${every}`, LD_PRELOAD: library }
  const { stdout, stderr, status } = spawnSync(process.execPath, [program, dir, home, ...args], {
    env: { ...process.env, ...faults },
    encoding: 'utf8',
  })
  if (status !== 0) storm.failed += 1
  // Node says ENOENT of a folder whose parent could not be made.
  if (status !== 0 && !/EIO|ENOSPC|EMFILE|ENOENT.*mkdir/.test(stderr)) throw new Error(stderr)
  return stdout.split('\n').filter((line) => line !== '')
}

/** The highest number that was confirmed. */
function sentBy(storm: Storm, every: number, sender: string, from: number): number {
  const lines = live(storm, every, sender, `${from}`, `${Math.min(mails, from + perLife - 1)}`)
  return Number(/^sent (\d+)$/.exec(lines.at(-1) ?? '')?.[1] ?? from - 1)
}

test('a program that knows the library alone loses, doubles and misorders nothing while the disk fails', (context) => {
  const library = faultyDisk(context)
  const cwd = tempDir()
  const [home, ulid] = [join(cwd, 'home'), '01J00000000000000000000001']
  const team = sampleTeam(['lead', 'ana', 'writer'])
  const { dir, journalFile } = createRun({ root: cwd, home, team, task: '', cwd, git_head: null, ulid, created: 1 })
  const storm: Storm = { dir, home, library, lives: 0, failed: 0 }
  const reached = new Map(senders.map((sender) => [sender, 0]))
  const done: string[] = []
  for (let round = 1; [...reached.values()].some((number) => number < mails); round += 1) {
    const every = round < 30 ? 45 : 0
    for (const [sender, number] of reached) {
      if (number < mails) reached.set(sender, sentBy(storm, every, sender, number + 1))
    }
    done.push(...live(storm, every, 'writer'))
  }
  done.push(...live(storm, 0, 'writer'))
  console.log(`${storm.lives} lives, ${storm.failed} ended by the disk`)
  expect(storm.failed).toBeGreaterThan(3)
  const { entries, problems } = readJournal(journalFile('writer'))
  expect(problems).toEqual([])
  const received = entries.flatMap((entry) => (entry.type === 'mail.received' ? [entry.envelope] : []))
  const numbers = Array.from({ length: mails }, (_, n) => `${n + 1}`)
  for (const sender of senders) {
    expect(received.filter((mail) => mail.sender === sender).map(({ body }) => body)).toEqual(numbers)
  }
  const handled = entries.flatMap((entry) => (entry.type === 'mail.handled' ? [entry.mail_id] : []))
  expect(handled.toSorted()).toEqual(received.map(({ id }) => id).toSorted())
  expect(new Set(done)).toEqual(new Set(senders.flatMap((sender) => numbers.map((body) => `done ${sender} ${body}`))))
  const box = join(dir, 'mail', 'writer')
  const left = ['new', 'cur', 'tmp'].flatMap((folder) =>
    readdirSync(join(box, folder), { recursive: true, encoding: 'utf8' }),
  )
  // The folder of the last claim stays for the next life.
  expect(left.filter((name) => name.endsWith('.json'))).toEqual([])
})
