import { setTimeout as pause } from 'node:timers/promises'
import { agentId } from '../../src/protocol/ids.ts'
import { bareSender } from './bare.ts'
import { instant, openMember, receiver, text } from './member.ts'

/** Sends `count` mails with `rate` a second (0: as fast as it goes): `sender-process.ts <way> <home> <name> <count> <rate>`. */
const [way = '', home = '', name = '', count = '0', rate = '0'] = process.argv.slice(2)
const synced = way.endsWith('power')

function mailSender(): (body: string, n: number) => void {
  const box = openMember(home, name, { durability: synced ? 'power' : 'process' })
  return (body, n) => {
    const sent = box.send({ to: agentId(receiver, 'bench'), kind: 'text', body, key: `k${n}` })
    if (!sent.ok) throw new Error(sent.error)
  }
}

const send = way.startsWith('bare') ? bareSender(home, name, synced) : mailSender()
const gap = Number(rate) === 0 ? 0 : 1000 / Number(rate)
const began = instant()
for (let n = 1; n <= Number(count); n += 1) {
  send(`${instant()} ${text}`, n)
  if (gap > 0) await pause(Math.max(0, began + n * gap - instant()))
}
