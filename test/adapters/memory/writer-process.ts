import { ulid } from 'ulid'
import { writeIndex } from '../../../src/adapters/memory/index-file.ts'
import { addMemory } from '../../../src/adapters/memory/memory-folder.ts'

/* Adds memories to a folder and says each on stdout once it is there: `writer-process.ts PATH LABEL FROM COUNT`. */
const [path = '', label = '', from = '0', count = '0'] = process.argv.slice(2)
const folder = { scope: 'local' as const, path }
for (let n = Number(from); n < Number(from) + Number(count); n += 1) {
  const text = `fact ${label}-${n}`
  // Every third has the name of all others.
  const title = n % 3 === 0 ? 'The same title' : text
  const source = { by: 'agent' as const, member: label }
  const added = await addMemory(
    folder,
    { kind: 'project', title, description: text, text, date: '2026-11-26', source },
    ulid,
  )
  if ('trouble' in added) throw new Error(added.trouble)
  process.stdout.write(`${n}\n`)
  await writeIndex(folder)
}
