import { linkSync, mkdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { agentId } from '../../src/protocol/ids.ts'
import { instant, openMember, receiver, text } from './member.ts'

/** Sends `count` mails with `rate` a second (0: as fast as it goes): `sender-process.ts <way> <home> <name> <count> <rate>`. */
const [way = '', home = '', name = '', count = '0', rate = '0'] = process.argv.slice(2)

function bareSender(): (body: string, n: number) => void {
  const [tmp, inbox] = [join(home, 'mail', receiver, 'tmp'), join(home, 'mail', receiver, 'new')]
  for (const folder of [tmp, inbox]) mkdirSync(folder, { recursive: true })
  return (body, n) => {
    const file = `${name}-${String(n).padStart(9, '0')}.json`
    writeFileSync(join(tmp, file), JSON.stringify({ v: 1, name, n, body, filler: text }))
    linkSync(join(tmp, file), join(inbox, file))
    unlinkSync(join(tmp, file))
  }
}

function mailSender(): (body: string, n: number) => void {
  const box = openMember(home, name, { durability: way === 'power' ? 'power' : 'process' })
  return (body, n) => {
    const sent = box.send({ to: agentId(receiver, 'bench'), kind: 'text', body, key: `k${n}` })
    if (!sent.ok) throw new Error(sent.error)
  }
}

const send = way === 'bare' ? bareSender() : mailSender()
const gap = Number(rate) === 0 ? 0 : 1000 / Number(rate)
const began = instant()
for (let n = 1; n <= Number(count); n += 1) {
  send(`${instant()} ${text}`, n)
  if (gap > 0) await pause(Math.max(0, began + n * gap - instant()))
}
