import { memberName } from '../../../protocol/words/ids.ts'
import type { RunNow } from '../../../runtime/runs/watch-run.ts'

/** Says what has changed since the look before that a person is to be called for; what was there at first calls nobody. */
export function callsFrom(call: (text: string) => void): (standing: Pick<RunNow, 'led' | 'pending'>) => void {
  let before: { readonly led: boolean; readonly asked: ReadonlySet<string> } | null = null
  return ({ led, pending }) => {
    for (const { request } of before === null ? [] : pending) {
      if (!before?.asked.has(request.id)) call(`${memberName(request.member)} waits for you: ${request.tool}`)
    }
    if (before?.led && !led) call('the run has ended')
    before = { led, asked: new Set(pending.map(({ request }) => request.id)) }
  }
}
