import type { Wire } from '../noop.ts'
import { chatLoop, messagesLoop } from '../raw-loops.ts'
import { measure, prompt as system, task } from './plan.ts'

/* The floor: a loop by hand for each worker, all at once. */
const [wire, url] = process.argv.slice(2) as [Wire, string]
const loop = wire === 'anthropic' ? messagesLoop(url) : chatLoop(url)
await measure(async (workers) => {
  await Promise.all(Array.from({ length: workers }, (_, n) => loop({ system, prompt: task(n) })))
})
