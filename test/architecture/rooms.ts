import { importCycles } from './import-cycles.ts'
import type { SourceModule } from './source-module.ts'

/** Rooms of `src/runtime`, top floor first: a room may import rooms of the floors below it, and no other ones. */
export const runtimeFloors: readonly (readonly string[])[] = [
  ['team-tests'],
  ['run', 'replay'],
  ['upkeep', 'team'],
  ['elsewhere'],
  ['member', 'tasks', 'mail', 'reports'],
  ['context'],
  ['mcp'],
  ['agent'],
  ['permissions', 'memory', 'hooks', 'middleware'],
  ['recovery', 'settings', 'prompt'],
  ['budget', 'team-files', 'journals', 'reach'],
  ['skills'],
  ['plugins'],
  ['worktrees', 'telemetry'],
  ['runs'],
  ['actors', 'models'],
]

/** Folders that may hold more files than others, and why. */
export const crowded: readonly { readonly folder: string; readonly most: number; readonly why: string }[] = []

const mostFiles = 25
const runtime = 'src/runtime/'

/** Imports of the runtime that go up, or aside to a room of the same floor; and rooms that stand on no floor. */
export function upwardImports(modules: readonly SourceModule[], floors = runtimeFloors): readonly string[] {
  return modules.flatMap(({ file, imports }) => {
    if (!file.startsWith(runtime)) return []
    const room = roomOf(file)
    const floor = floorOf(room, floors)
    if (floor < 0) return [`${file}: the room "${room}" stands on no floor of the table`]
    const targets = imports.flatMap((edge) => (edge.file?.startsWith(runtime) ? [{ ...edge, file: edge.file }] : []))
    return targets
      .filter((edge) => roomOf(edge.file) !== room && floorOf(roomOf(edge.file), floors) <= floor)
      .map((edge) => `${file}:${edge.line} goes up from ${room} to ${roomOf(edge.file)}`)
  })
}

/** Folders that import each other in a circle, a folder and the folders in it being different ones. */
export function folderCircles(modules: readonly SourceModule[]): readonly string[] {
  const folders = new Map<string, SourceModule>()
  for (const module of modules) {
    const folder = folderOf(module.file)
    const targets = module.imports
      .filter((edge) => edge.file !== null && folderOf(edge.file) !== folder)
      .map((edge) => ({ ...edge, file: folderOf(edge.file ?? '') }))
    const known = folders.get(folder)?.imports ?? []
    folders.set(folder, { ...module, file: folder, imports: [...known, ...targets] })
  }
  return importCycles([...folders.values()])
}

/** Folders that hold more files than a reader keeps apart. */
export function crowdedFolders(modules: readonly SourceModule[], exceptions = crowded): readonly string[] {
  const counts = new Map<string, number>()
  for (const { file } of modules) counts.set(folderOf(file), (counts.get(folderOf(file)) ?? 0) + 1)
  const most = (folder: string): number => exceptions.find((known) => known.folder === folder)?.most ?? mostFiles
  return [...counts]
    .filter(([folder, count]) => count > most(folder))
    .map(([folder, count]) => `${folder}: ${count} files, more than ${most(folder)}`)
}

function floorOf(room: string, floors: typeof runtimeFloors): number {
  return floors.findIndex((names) => names.includes(room))
}

/** `src/runtime/team/leader.ts` → `team`; a file beside the rooms has the empty room. */
function roomOf(file: string): string {
  const rest = file.slice(runtime.length)
  return rest.includes('/') ? rest.slice(0, rest.indexOf('/')) : ''
}

function folderOf(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf('/')))
}
