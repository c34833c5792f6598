import { setgid, setgroups, setuid } from 'node:process'
import { readMemories, type MemoryFolder } from '../../../src/adapters/memory/memory-folder.ts'

/* Lists a folder of memories without the rights of the superuser, for whom every folder is open. */

const nobody = 65_534
if (process.getuid?.() === 0) {
  setgroups?.([nobody])
  setgid?.(nobody)
  setuid?.(nobody)
}
const folder = JSON.parse(process.argv[2] ?? '') as MemoryFolder
process.stdout.write(JSON.stringify(readMemories(folder)))
