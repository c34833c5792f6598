import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { readJournal } from '../../src/adapters/sessions/read-journal.ts'
import { readRun } from '../../src/adapters/sessions/read-run.ts'
import { createRun } from '../../src/adapters/sessions/run-directory.ts'
import { readRunKey } from '../../src/adapters/sessions/run-key.ts'
import { seeded } from '../chaos/random.ts'
import { openMailbox } from '../../src/runtime/mail/open-mailbox.ts'
import { sampleTeam } from '../contracts/sample-team.ts'
import { cutDisk } from '../support/cut-disk.ts'

const [mails, cuts] = [400, 12]

test('whenever the power goes, what a sender was told is on the disk, and is received once afterwards', async (context) => {
  const { path, afterCut } = cutDisk(context)
  const random = seeded(11)
  const home = join(path, 'home')
  const team = {
    ...sampleTeam(['lead', 'writer']),
    mail: { max_unread: mails, durability: 'power' as const, archive: { count: 10, age_ms: 1 } },
  }
  const run = createRun({
    root: join(path, '.troupe/runs'),
    home,
    team,
    task: '',
    cwd: path,
    git_head: null,
    ulid: '01J00000000000000000000001',
    created: 1,
  })
  const program = join(import.meta.dirname, '../chaos/library-process.ts')
  const sender = spawn(process.execPath, [program, run.dir, home, 'lead', '1', `${mails}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void sender.kill('SIGKILL'))
  const ended = once(sender, 'exit')
  let confirmed = 0
  createInterface({ input: sender.stdout }).on('line', (line) => (confirmed = Number(line.slice('sent '.length))))
  await expect.poll(() => confirmed).toBeGreaterThan(0)
  const moments: number[] = []
  while (moments.length < cuts) {
    await pause(random() * 40)
    const told = confirmed
    // A copy takes a while; a cut is one moment.
    sender.kill('SIGSTOP')
    const received = afterCut((cut) => {
      const dir = run.dir.replace(path, cut)
      expect(readRun(dir).problems).toEqual([])
      expect(readRunKey(join(cut, 'home'), run.id)).toHaveLength(32)
      const writer = openMailbox(dir, 'writer@demo', { home: join(cut, 'home'), confirm: 'auto' })
      const bodies: string[] = []
      for (let batch = writer.receive(); batch.length > 0; batch = writer.receive())
        bodies.push(...batch.map(({ body }) => body))
      writer.close()
      const sent = readJournal(join(dir, 'journal/lead.jsonl')).entries.filter(({ type }) => type === 'mail.sent')
      expect(sent.length).toBeGreaterThanOrEqual(told)
      return bodies
    })
    sender.kill('SIGCONT')
    expect(received).toEqual(received.map((_, n) => `${n + 1}`))
    expect(received.length).toBeGreaterThanOrEqual(told)
    moments.push(told)
  }
  console.log(`cuts after ${moments.join(', ')} confirmed mails`)
  sender.kill('SIGKILL')
  await ended
})
