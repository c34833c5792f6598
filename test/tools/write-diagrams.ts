import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { StateMachine, type AnyStateMachine } from 'xstate'
import { machinePage } from './state-diagram.ts'

/** A machine of ours and the file that exports it. */
export interface FoundMachine {
  readonly file: string
  readonly machine: AnyStateMachine
}

/** Every exported `<name>Machine` below a folder, by file name. */
export async function findMachines(root: string): Promise<readonly FoundMachine[]> {
  const folder = join(root, 'machines')
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .toSorted()
  const found = await Promise.all(
    files.map(async (file) => {
      const exported = (await import(pathToFileURL(join(folder, file)).href)) as Record<string, unknown>
      const machines = Object.values(exported).filter((value) => value instanceof StateMachine)
      return machines.map((machine) => ({
        file: relative(root, join(folder, file)),
        machine: machine as AnyStateMachine,
      }))
    }),
  )
  return found.flat()
}

/** The whole of `docs/machines.md`. */
export function diagramsPage(machines: readonly FoundMachine[]): string {
  return [
    '# Machines',
    '',
    'Every actor of a team, drawn from the machine objects themselves. `npm run diagrams` writes this page.',
    '',
    ...machines.map(({ file, machine }) => machinePage(machine, file)),
  ].join('\n')
}

/** Writes a page into a file, or with `check` only compares; returns whether the file was fresh. */
export function refresh(file: string, page: string, check: boolean): boolean {
  const isFresh = readOr(file) === page
  if (!isFresh && !check) writeFileSync(file, page)
  return isFresh
}

function readOr(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..', '..')
  const check = process.argv.includes('--check')
  const isFresh = refresh(join(root, 'docs', 'machines.md'), diagramsPage(await findMachines(root)), check)
  if (check && !isFresh) {
    process.stderr.write('docs/machines.md is stale: run `npm run diagrams`.\n')
    process.exitCode = 1
  }
}
