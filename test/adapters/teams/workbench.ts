import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readTeam, type TeamRead } from '../../../src/adapters/teams/read-team.ts'
import type { Diagnostic } from '../../../src/protocol/words/diagnostic.ts'

/** A folder of team files and cards for one test. */
export interface Workbench {
  readonly dir: string
  write(name: string, content: string | Uint8Array): void
  read(name?: string): Promise<TeamRead>
  remove(): void
}

export function openWorkbench(): Workbench {
  const dir = mkdtempSync(join(tmpdir(), 'troupe-teams-'))
  return {
    dir,
    write(name, content) {
      mkdirSync(dirname(join(dir, name)), { recursive: true })
      writeFileSync(join(dir, name), content)
    },
    read: (name = 'team.yaml') => readTeam(name, { cwd: dir }),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  }
}

/** `team.yaml:2:1 unknown_key unknown key "modle" …`: what a person needs to find the mistake. */
export function told({ file, line, column, code, message }: Diagnostic): string {
  return `${file}:${line}:${column} ${code} ${message}`
}

/** A good team with one worker, whose lines may be replaced or added to. */
export function teamText(worker = 'prompt: You write.\n    description: Writes.', more = ''): string {
  return `name: small\nmodel: scripted/a.yaml\ncoordinator: {}\nworkers:\n  writer:\n    ${worker}\n${more}`
}
