import type { ParameterExpansionPart, Word } from 'unbash'
import type { Expansion } from './expansion.ts'

/**
 * Notes the operands of `${…}` that bash may run as a command: it decodes `$'…'` first, and in double quotes, however far
 * around, reads what came out once more.
 */
export function checkOperands(part: ParameterExpansionPart, into: Expansion): void {
  const { index, operation } = part
  const { operand, offset, length, pattern, replacement } = (operation ?? {}) as Partial<Record<string, Word>>
  const inside = [index, operand, offset, length, pattern, replacement].flatMap((word) => word?.parts ?? [])
  if (inside.some((each) => each.type === 'AnsiCQuoted' && /[$`"'\\{}]/.test(each.value)))
    into.hazards.push("a text in $'…' inside of ${…} can be read as a command")
  if (mayFail(part)) into.left.push(into.state)
  // `${x~~$(date)}`: an operation that bash knows and no manual speaks of.
  if (operation?.type === 'Unknown') into.hazards.push('what ${…} does cannot be read')
}

/** Bash gives up a line in which a subscript or a part of a text is no number, or a name no name. */
function mayFail({ prefix, index, operation }: ParameterExpansionPart): boolean {
  if (prefix === '!' || operation?.type === 'Transform') return true
  if (index !== undefined && !/^(\d+|[@*])$/.test(index.text)) return true
  if (operation?.type !== 'Slice') return false
  return !/^\s*-?\d+\s*$/.test(operation.offset.text) || !/^\s*(\d+\s*)?$/.test(operation.length?.text ?? '')
}
