import { setTimeout as pause } from 'node:timers/promises'
import { agentId } from '../../src/protocol/words/ids.ts'
import { bareSender } from './bare.ts'
import { instant, openMember, receiver, text } from './member.ts'
import { openWindow } from './window.ts'

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
const mail = () => `${instant()} ${name} ${text}`

async function sendSteadily(each: number): Promise<void> {
  const gap = 1000 / each
  const began = instant()
  for (let n = 1; n <= Number(count); n += 1) {
    send(mail(), n)
    await pause(Math.max(0, began + n * gap - instant()))
  }
}

async function sendInWindow(): Promise<void> {
  const window = await openWindow(home, name)
  for (let n = 1; n <= Number(count); n += 1) {
    if (!window.hasRoom()) await window.room()
    send(mail(), n)
  }
  window.close()
}

const before = process.cpuUsage()
await (Number(rate) === 0 ? sendInWindow() : sendSteadily(Number(rate)))
const { user, system } = process.cpuUsage(before)
console.log(JSON.stringify({ cpu_us: (user + system) / Number(count) }))
