import type { ToolEffect } from '../../protocol/tools/tool.ts'

/** A call that began and has no result because its process ended. */
export interface UnfinishedCall {
  readonly readOnly: boolean
  readonly effect: ToolEffect
}

/**
 * Whether a call that was cut off may simply be made again: it was allowed before, and a second time changes nothing.
 * Mail and delegation are known by the call that made them, so the second time finds what the first one did; a list of
 * its own, or an approved plan, is the same when it is set again.
 * @example mayRunAgain({ readOnly: false, effect: 'execute' }) // false: the model has to decide
 */
export function mayRunAgain({ readOnly, effect }: UnfinishedCall): boolean {
  return readOnly || effect === 'team' || effect === 'none'
}

/** The text for the model in place of the result of a call that is not made again. */
export function unfinishedText(begun: boolean): string {
  return begun
    ? 'Interrupted: the process that ran this call ended. Whether it took effect is unknown: look before you repeat it.'
    : 'Not run: the process ended before this call began, and what became of the one before it is unknown. Make it again if it is still wanted.'
}
