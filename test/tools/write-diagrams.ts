import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
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
    'Every actor of a team, drawn from the machine objects themselves. `npm run diagrams` writes this page, and each machine as',
    'JSON beside it (`machines/<name>.json`), which editors of statecharts take.',
    '',
    ...machines.map(({ file, machine }) => machinePage(machine, file)),
  ].join('\n')
}

/** The definition of a machine as JSON, for tools that draw or simulate charts; functions are told by their place alone. */
export function definitionOf(machine: AnyStateMachine): string {
  return `${JSON.stringify(machine.config, (_, value: unknown) => (typeof value === 'function' ? '(code)' : value), 2)}\n`
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
  const machines = await findMachines(root)
  const pages = [
    ['machines.md', diagramsPage(machines)] as const,
    ...machines.map(({ machine }) => [join('machines', `${machine.id}.json`), definitionOf(machine)] as const),
  ]
  mkdirSync(join(root, 'docs', 'machines'), { recursive: true })
  const stale = pages.filter(([file, page]) => !refresh(join(root, 'docs', file), page, check))
  if (check && stale.length > 0) {
    const files = stale.map(([file]) => join('docs', file)).join(', ')
    process.stderr.write(`stale: ${files}; run \`npm run diagrams\`.\n`)
    process.exitCode = 1
  }
}
