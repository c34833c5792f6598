import { bareReceive, mailReceive } from './receive.ts'

/**
 * Receives in a process of its own: `receiver-process.ts <way> <home> <count> [windowed]`; says `ready`, then one line of
 * JSON.
 */
const [way = '', home = '', count = '0', windowed] = process.argv.slice(2)
const synced = way.endsWith('power')
const receive = way.startsWith('bare') ? bareReceive(synced) : mailReceive({ durability: synced ? 'power' : 'process' })
// Loaded only where it is needed: how soon this process starts is measured too.
const acknowledgements = windowed === undefined ? null : (await import('./window.ts')).acknowledging(home)
const received = receive(home, { count: Number(count), took: (sender) => acknowledgements?.took(sender) })
// The watcher is in place a moment later; what comes before is found by the first look.
setTimeout(() => console.log('ready'), 300)
console.log(JSON.stringify(await received))
acknowledgements?.close()
