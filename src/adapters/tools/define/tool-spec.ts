import { z } from 'zod'
import type { Tool, ToolSpec } from '../../../protocol/tools/tool.ts'

const specs = new WeakMap<Tool, ToolSpec>()

/**
 * The model's view of a tool. The same tool always gives the very same object, so that providers can cache their
 * translation of it. References are inlined: model APIs do not follow `$ref`.
 *
 * @throws When the input schema has no JSON Schema form (a transform, a date): a programming error of the tool.
 * @example toolSpec(read).parameters // { type: 'object', properties: { file_path: … }, … }
 */
export function toolSpec(tool: Tool): ToolSpec {
  const known = specs.get(tool)
  if (known) return known
  const parameters: Record<string, unknown> = z.toJSONSchema(tool.input, { io: 'input', reused: 'inline' })
  delete parameters['$schema']
  const spec: ToolSpec = { name: tool.name, description: tool.description, parameters }
  specs.set(tool, spec)
  return spec
}
