import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { readMemories, type MemoryListing } from '../../../src/adapters/memory/memory-folder.ts'

export interface MemoryStorm {
  readonly processes: number
  readonly writes: number
  /** A process is killed when it has said this many of its memories, and another goes on in its place. */
  readonly killAfter: number
}

export interface StormOutcome extends MemoryListing {
  readonly path: string
  /** Texts of memories that a process said were there. */
  readonly said: readonly string[]
  readonly kills: number
  /** Files that are neither memories nor the index. */
  readonly left: readonly string[]
}

/** Lets real processes write memories into one folder at the same time, and kills them in the middle of it. */
export async function memoryStorm({ processes, writes, killAfter }: MemoryStorm): Promise<StormOutcome> {
  const path = join(realpathSync(mkdtempSync(join(tmpdir(), 'troupe-memory-storm-'))), 'memory')
  const said = new Set<string>()
  let kills = 0
  const write = async (label: string): Promise<void> => {
    let next = 0
    while (next < writes) {
      const child = spawn(
        process.execPath,
        [join(import.meta.dirname, 'writer-process.ts'), path, label, String(next), String(writes - next)],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      )
      const begun = next
      for await (const line of createInterface({ input: child.stdout })) {
        said.add(`fact ${label}-${line}`)
        next = Number(line) + 1
        if (next - begun >= killAfter && next < writes && child.exitCode === null && child.kill('SIGKILL')) kills += 1
      }
    }
  }
  await Promise.all(Array.from({ length: processes }, (_, n) => write(`w${n}`)))
  const listing = readMemories({ scope: 'local', path })
  const left = readdirSync(path).filter((name) => !name.endsWith('.md'))
  return { ...listing, path, said: [...said], kills, left }
}
