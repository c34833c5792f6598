import type { Evidence, EvidenceKind, TaskPolicy } from '../../protocol/work/task.ts'

/** `evidenceKind({ check: 'tests' })` → `'check'`. */
export function evidenceKind(evidence: Evidence): EvidenceKind {
  if ('command' in evidence) return 'command'
  return 'file' in evidence ? 'file' : 'check'
}

/**
 * Names what is missing from the evidence that comes with "done", before any of it is checked: null when nothing is.
 * A command that failed is evidence of the contrary; a check must be one that the team declares.
 *
 * @example missingEvidence([], { evidence: ['check'], checks: { tests: 'npm test' } }) // 'This board wants evidence …'
 */
export function missingEvidence(
  evidence: readonly Evidence[],
  policy: Pick<TaskPolicy, 'evidence' | 'checks'>,
): string | null {
  for (const piece of evidence) {
    if ('command' in piece && piece.exit_code !== 0) {
      return `\`${piece.command}\` ended with exit code ${piece.exit_code}: that does not show that the task is done.`
    }
    if ('check' in piece && !Object.hasOwn(policy.checks, piece.check)) return unknownCheck(piece.check, policy.checks)
  }
  const kinds = evidence.map(evidenceKind)
  if (policy.evidence.length === 0 || policy.evidence.some((wanted) => kinds.includes(wanted))) return null
  return `This board wants evidence of what is done: ${policy.evidence.map((kind) => wordings[kind]).join(', or ')}.`
}

const wordings: Readonly<Record<EvidenceKind, string>> = {
  command: 'a command that you ran with its exit code',
  file: 'a file with the SHA-256 of its content',
  check: 'the name of a declared check',
}

function unknownCheck(name: string, checks: TaskPolicy['checks']): string {
  const known = Object.keys(checks)
  if (known.length === 0) return `There is no check "${name}": the team declares none.`
  return `There is no check "${name}"; the team declares ${known.join(', ')}.`
}
