import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { agentId, everybody } from '../../src/protocol/words/ids.ts'
import { openMember, type Member } from './life.ts'

/** Sends numbered mail to every receiver in turn, and the last one of its earlier life again, as a re-run would. */
const perLife = 24

const { plan, log, box, note } = openMember()

/** Every seventh mail goes to everybody, under one key. */
function send(n: number): void {
  const to = n % 7 === 0 ? everybody : (plan.receivers[n % plan.receivers.length] ?? '')
  const sent = box.send({ to: agentId(to, 'chaos'), kind: 'text', body: `${plan.name} ${n}`, key: `k${n}` })
  if (!sent.ok) throw new Error(sent.error)
  for (const { key } of sent.copies ?? [sent.envelope]) note(key)
}

async function live({ lastSent }: Member['log']): Promise<void> {
  const before = Number(/^k(\d+)/.exec(lastSent().at(-1)?.key ?? '')?.[1] ?? 0)
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
