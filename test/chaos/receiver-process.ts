import { setTimeout as pause } from 'node:timers/promises'
import { openMember } from './life.ts'

/** Takes in whatever comes, in small batches, notes what it was handed, and says of each that it is done with it. */
const { plan, box, note } = openMember()
console.log('ready')
for (;;) {
  const batch = box.receive(8)
  for (const { id } of batch) {
    note(`handed ${id}`)
    box.done(id)
    note(`done ${id}`)
  }
  if (batch.length === 0 && plan.last) break
  if (batch.length === 0) await pause(1)
}
