import type { ParameterExpansionPart, Word } from 'unbash'
import type { Expansion } from './expansion.ts'

/**
 * Notes the operands of `${…}` that bash may run as a command: it decodes `$'…'` first, and in double quotes, however far
 * around, reads what came out once more.
 */
export function checkOperands({ index, operation }: ParameterExpansionPart, into: Expansion): void {
  const { operand, offset, length, pattern, replacement } = (operation ?? {}) as Partial<Record<string, Word>>
  const parts = [index, operand, offset, length, pattern, replacement].flatMap((word) => word?.parts ?? [])
  if (parts.some((part) => part.type === 'AnsiCQuoted' && /[$`"'\\{}]/.test(part.value)))
    into.hazards.push("a text in $'…' inside of ${…} can be read as a command")
  // `${x~~$(date)}`: an operation that bash knows and no manual speaks of.
  if (operation?.type === 'Unknown') into.hazards.push('what ${…} does cannot be read')
}
