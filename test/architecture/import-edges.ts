import { builtinModules } from 'node:module'
import { layerOf, mayImport, type Layer } from './layers.ts'
import type { Import, SourceModule } from './source-module.ts'

/** Imports that the layer table does not have. */
export function wrongEdges(modules: readonly SourceModule[]): readonly string[] {
  return modules.flatMap((module) => {
    const layer = layerOf(module.file)
    if (!layer) return [`${module.file}: lies in no place of the layer table`]
    return module.imports.flatMap((edge) => {
      const complaint = edge.specifier === null && loaders.has(module.file) ? null : edgeComplaint(layer, edge)
      return complaint ? [`${module.file}:${edge.line} ${complaint}`] : []
    })
  })
}

/** Files whose job it is to load code that other people wrote, by its path and after it was trusted. */
const loaders = new Set(['src/adapters/tools/own/load-code-tool.ts'])

function edgeComplaint(layer: Layer, edge: Import): string | null {
  if (edge.specifier === null) return 'imports a computed name, which no table can check'
  if (edge.file !== null) {
    if (!/\.tsx?$/.test(edge.file)) return `imports ${edge.specifier} without its ending .ts`
    return mayImport(layer, edge.file) ? null : `${layer.place} may not import ${edge.file}`
  }
  const name = packageName(edge.specifier)
  if (name.startsWith('node:') || builtinModules.includes(name)) return builtinComplaint(layer, edge.specifier)
  return layer.packages.includes(name) ? null : `${layer.place} may not import the package ${name}`
}

function builtinComplaint(layer: Layer, specifier: string): string | null {
  if (!specifier.startsWith('node:')) return `imports ${specifier} without node:`
  const allowed = layer.builtins === 'any' || (layer.builtins !== 'none' && layer.builtins.includes(specifier))
  return allowed ? null : `${layer.place} may not import ${specifier}`
}

function packageName(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
