import type { Errand } from '../../protocol/tools/tool.ts'

/** The mistake in the wanted shapes of results, in words for the model; null when there is none. */
export async function contractsFlaw(errands: readonly Errand[]): Promise<string | null> {
  if (errands.every(({ returns }) => returns === undefined)) return null
  const { contractFlaw } = await import('../../adapters/contracts/check-contract.ts')
  for (const { worker, returns } of errands) {
    const flaw = returns === undefined ? null : contractFlaw(returns)
    if (flaw !== null) return `The contract of the subtask for ${worker} is no JSON Schema: ${flaw}.`
  }
  return null
}
