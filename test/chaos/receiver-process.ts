import { setTimeout as pause } from 'node:timers/promises'
import { openMember } from './life.ts'

/** Looks at an empty box in a last life: as often as a file that cannot be taken is tried, and once more. */
const mostLooks = 6

/** Takes in whatever comes, in small batches, notes what it was handed, and says of each that it is done with it. */
const { plan, box, note } = openMember()
console.log('ready')
let looks = 0
for (;;) {
  const batch = box.receive(8)
  for (const { id } of batch) {
    note(`handed ${id}`)
    box.done(id)
    note(`done ${id}`)
  }
  if (batch.length === 0 && plan.last) {
    // What can never be taken counts as unread only when it is due for a try.
    if (box.unread() === 0) break
    looks += 1
    if (looks > mostLooks) throw new Error(`${plan.name} finds nothing in its box, and is told that something is there`)
  }
  if (batch.length === 0) await pause(1)
}
