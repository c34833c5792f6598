import { join } from 'node:path'
import { mailLogOf } from '../../../src/adapters/mailbox/files/mail-log.ts'
import { createMailbox } from '../../../src/adapters/mailbox/mailbox.ts'
import { openJournal } from '../../../src/adapters/sessions/journal.ts'
import { agentId } from '../../../src/protocol/words/ids.ts'
import { countingMint } from '../../contracts/mail-world.ts'
import { mailFold } from '../../../src/adapters/mailbox/files/mail-memory.ts'

/** Sends `count` mails to the writer as one member: `node sending-process.ts <home> <name> <number> <count>`. */
const [home = '', owner = '', number = '0', count = '0'] = process.argv.slice(2)

const { journal, state } = openJournal(join(home, 'journal', `${owner}.jsonl`), { owner, now: () => 1, fold: mailFold })
const box = createMailbox({
  dir: join(home, 'mail'),
  owner,
  from: agentId(owner, 'demo'),
  team: 'demo',
  roster: ['writer'],
  log: mailLogOf((facts) => void journal.append(facts), state),
  now: () => 1,
  mint: countingMint(Number(number) * 1000),
})
for (let n = 1; n <= Number(count); n += 1) {
  const sent = box.send({ to: agentId('writer', 'demo'), kind: 'text', body: `${owner} ${n}`, key: `k${n}` })
  if (!sent.ok) throw new Error(sent.error)
}
