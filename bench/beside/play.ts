import { rmSync } from 'node:fs'
import type { Figures } from '../figures.ts'
import type { Wire, Worker } from '../noop.ts'

/*
 * One case of one peer in a process of its own: `node play.ts raw|own <wire> <url> <case> <size>` prints its figures as one line of JSON.
 * A short loop goes first, so that what is loaded once is loaded; only the case `cold` goes without.
 */
const [peer, wire, url, name, size] = process.argv.slice(2) as [string, Wire, string, string, string]
const folders: string[] = []

async function open(path: string): Promise<Worker> {
  if (peer === 'own') {
    const { ownAgents } = await import('../own-agents.ts')
    const { work, folder } = await ownAgents(wire, `${url}${path}`)
    folders.push(folder)
    return work
  }
  const { chatLoop, messagesLoop } = await import('../raw-loops.ts')
  return wire === 'anthropic' ? messagesLoop(`${url}${path}`) : chatLoop(`${url}${path}`)
}

const order = { system: 'You do as you are told.', prompt: 'Begin.' }

/** Milliseconds from the start of this process until its first request reached the server, which answers with the time. */
async function cold(): Promise<Figures> {
  const work = await open(`/cold/${size}`)
  const arrived = Number(await work(order))
  return { cpu_ms: 0, wall_ms: arrived - performance.timeOrigin, rss_kb: 0 }
}

/** The median time from an abort in the middle of a stream until the work is over. */
async function aborts(work: Worker): Promise<Figures> {
  const { median } = await import('../figures.ts')
  const times: number[] = []
  for (let n = 0; n < Number(size); n += 1) {
    const controller = new AbortController()
    let heard = 0
    let at = 0
    const onText = (): void => {
      if (++heard !== 20) return
      at = performance.now()
      controller.abort()
    }
    // One after the other, so that each is alone.
    // oxlint-disable-next-line no-await-in-loop
    const how = await work({ ...order, onText, signal: controller.signal }).catch(() => 'aborted')
    if (how !== 'aborted') throw new Error(`the stream ended: ${how}`)
    times.push(performance.now() - at)
  }
  return { cpu_ms: 0, wall_ms: median(times), rss_kb: 0 }
}

async function whole(work: Worker): Promise<Figures> {
  const { figuresOf } = await import('../figures.ts')
  const agents = name === 'fan' ? Number(size) : 1
  const onText = name === 'deltas' ? (): void => undefined : undefined
  const all = (): Promise<unknown> =>
    Promise.all(Array.from({ length: agents }, () => work(onText ? { ...order, onText } : order)))
  return figuresOf(agents, all)
}

async function warm(): Promise<Figures> {
  const first = await open('/loop/3')
  await first(order)
  const work = await open(`/${name}/${size}`)
  return name === 'abort' ? aborts(work) : whole(work)
}

console.log(JSON.stringify(await (name === 'cold' ? cold() : warm())))
for (const folder of folders) rmSync(folder, { recursive: true, force: true })
