import type { SourceModule } from './source-module.ts'

/** Circles of imports, type-only ones included; each is told once, from its first file in the alphabet. */
export function importCycles(modules: readonly SourceModule[]): readonly string[] {
  const targets = new Map(modules.map((module) => [module.file, module.imports.flatMap((edge) => edge.file ?? [])]))
  const found = new Set<string>()
  const done = new Set<string>()
  const walk = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file)
    if (start >= 0) {
      found.add(told(path.slice(start)))
      return
    }
    if (done.has(file)) return
    for (const target of targets.get(file) ?? []) walk(target, [...path, file])
    done.add(file)
  }
  for (const file of targets.keys()) walk(file, [])
  return [...found]
}

function told(circle: readonly string[]): string {
  const first = circle.indexOf(circle.toSorted()[0] ?? '')
  const turned = [...circle.slice(first), ...circle.slice(0, first)]
  return [...turned, turned[0]].join(' → ')
}
