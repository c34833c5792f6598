import { setTimeout as pause } from 'node:timers/promises'
import { openMember } from './life.ts'

/** Takes in whatever comes, in small batches, and notes what it was handed. */
const { plan, box, note } = openMember()
console.log('ready')
for (;;) {
  const batch = box.receive(8)
  for (const { id } of batch) note(id)
  if (batch.length === 0 && plan.last) break
  if (batch.length === 0) await pause(1)
}
