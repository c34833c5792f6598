import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { StateMachine, type AnyStateMachine } from 'xstate'
import { awaitedStates } from '../../machines/awaited.ts'
import { machinePage } from './state-diagram.ts'

/** A machine of ours and the file that exports it. */
export interface FoundMachine {
  readonly file: string
  readonly machine: AnyStateMachine
}

/** Every exported `<name>Machine` below a folder, by path. */
export async function findMachines(root: string): Promise<readonly FoundMachine[]> {
  const folder = join(root, 'machines')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
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
    'Every actor of a team, drawn from the machine objects themselves. `npm run diagrams` writes this page, and each chart as',
    'JSON beside it ([agent](machines/agent.json)), which Stately and `createMachine` take as it is. A dashed state stands for',
    'work to come; `machines/awaited.ts` lists all such parts.',
    '',
    ...machines.map(({ file, machine }) => machinePage(machine, file, awaitedStates[machine.id])),
  ].join('\n')
}

/** The chart of a machine without its functions: `createMachine(JSON.parse(definition))` has the same states and events. */
export function definitionOf(machine: AnyStateMachine): string {
  return `${JSON.stringify(machine.config, null, 2)}\n`
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

/** Writes the page and all definitions below `root`, or only compares; returns the files that were stale. */
export function refreshAll(root: string, machines: readonly FoundMachine[], check: boolean): readonly string[] {
  const folder = join('docs', 'machines')
  if (!check) mkdirSync(join(root, folder), { recursive: true })
  const pages = [
    [join('docs', 'machines.md'), diagramsPage(machines)],
    ...machines.map(({ machine }) => [join(folder, `${machine.id}.json`), definitionOf(machine)]),
  ] as const
  return pages.flatMap(([file = '', text = '']) => (refresh(join(root, file), text, check) ? [] : [file]))
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..', '..')
  const check = process.argv.includes('--check')
  const stale = refreshAll(root, await findMachines(root), check)
  if (check && stale.length > 0) {
    process.stderr.write(`${stale.join(', ')}: stale, run \`npm run diagrams\`.\n`)
    process.exitCode = 1
  }
}
