import { existsSync, mkdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openMember } from './life.ts'

/** Takes in whatever comes, in small batches, by name where it was told, and notes what it was handed. */
const { plan, box, doorbell, note } = openMember()
const folder = join(plan.dir, 'mail', plan.name, 'new')
mkdirSync(folder, { recursive: true, mode: 0o700 })
const ears = watch(folder, (_, file) => {
  if (file && existsSync(join(folder, file))) doorbell.ring(plan.name, { priority: 'normal', files: [file] })
})
box.watch(() => undefined)
console.log('ready')
for (;;) {
  const batch = box.receive(8)
  for (const { id } of batch) note(id)
  if (batch.length === 0 && plan.last) break
  if (batch.length === 0) await pause(1)
}
ears.close()
