import type { Policy } from '../../protocol/permissions/permission.ts'
import type { Tool } from '../../protocol/tools/tool.ts'
import { deniesWholeTool } from '../../rules/settings/denied-tool.ts'
import type { ToolSpec } from '../../protocol/tools/tool.ts'

/** The tools of a turn, as far as an offer to a model is made of them. */
interface Offer {
  readonly tools: ReadonlyMap<string, Tool>
  readonly specs: readonly ToolSpec[]
}

/**
 * The same tools without the offer of those that are switched off or denied as a whole. Calls of them are judged as ever. The
 * same offer is the very same object.
 */
export function offering<Turn extends Offer>(turnTools: () => Turn, policy: () => Policy): () => Turn {
  let last: { readonly from: Turn; readonly hidden: string; readonly made: Turn } | null = null
  return () => {
    const from = turnTools()
    const isDenied = deniesWholeTool(policy())
    const isHidden = (tool: Tool): boolean => isDenied(tool.name) || tool.isEnabled?.() === false
    const names = [...from.tools.values()].filter(isHidden).map(({ name }) => name)
    if (names.length === 0) return from
    const hidden = names.join(' ')
    if (last?.from !== from || last.hidden !== hidden) {
      last = { from, hidden, made: { ...from, specs: from.specs.filter(({ name }) => !names.includes(name)) } }
    }
    return last.made
  }
}
