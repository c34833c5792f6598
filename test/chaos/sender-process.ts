import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { agentId } from '../../src/protocol/words/ids.ts'
import { openMember, type Member } from './life.ts'

/** Sends numbered mail to every receiver in turn, and the last one of its earlier life again, as a re-run would. */
const perLife = 24

const { plan, log, box, note } = openMember()

function send(n: number): void {
  const to = plan.receivers[n % plan.receivers.length] ?? ''
  const sent = box.send({ to: agentId(to, 'chaos'), kind: 'text', body: `${plan.name} ${n}`, key: `k${n}` })
  if (!sent.ok) throw new Error(sent.error)
  note(sent.envelope.key)
}

async function live({ lastSeq }: Member['log']): Promise<void> {
  const before = lastSeq()
  if (before > 0) send(before)
  for (let n = before + 1; n <= before + perLife; n += 1) {
    send(n)
    await pause(1)
  }
}

console.log('ready')
if (plan.last) box.close()
else {
  await live(log)
  // Until it is killed, or left alone in the world.
  await once(process.stdin.resume(), 'end')
}
