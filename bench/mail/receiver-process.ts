import { bareReceive, mailReceive } from './receive.ts'

/** Receives in a process of its own: `receiver-process.ts <way> <home> <count>`; says `ready`, then one line of JSON. */
const [way = '', home = '', count = '0'] = process.argv.slice(2)
const synced = way.endsWith('power')
const receive = way.startsWith('bare') ? bareReceive(synced) : mailReceive({ durability: synced ? 'power' : 'process' })
const received = receive(home, Number(count))
// The watcher is in place a moment later; what comes before is found by the first look.
setTimeout(() => console.log('ready'), 300)
console.log(JSON.stringify(await received))
