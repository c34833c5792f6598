import { rmSync } from 'node:fs'
import type { Wire } from '../noop.ts'
import { ownAgents } from '../own-agents.ts'
import { measure, prompt as system, task } from './plan.ts'

/* The same work as so many agents of their own, without a team around them. */
const [wire, url] = process.argv.slice(2) as [Wire, string]
const { work, folder } = await ownAgents(wire, url)
await measure(async (workers) => {
  await Promise.all(Array.from({ length: workers }, (_, n) => work({ system, prompt: task(n) })))
})
rmSync(folder, { recursive: true, force: true })
