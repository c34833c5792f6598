import { createHash } from 'node:crypto'
import type { Policy } from '../../protocol/permissions/permission.ts'

const hashes = new WeakMap<Policy, string>()

/**
 * The name of a policy: two processes with the same name obey the same policy. The line of a rule is left out, because
 * it decides nothing. The hash is computed once for each policy: members share theirs.
 */
export function policyHash(policy: Policy): string {
  const known = hashes.get(policy)
  if (known !== undefined) return known
  const said = JSON.stringify(policy, (key, value: unknown) => (key === 'at' ? undefined : value))
  const hash = createHash('sha256').update(said).digest('hex')
  hashes.set(policy, hash)
  return hash
}
