import { hashOfRest } from '../../adapters/fs/content-hash.ts'
import { openFile } from '../../adapters/fs/open-file.ts'
import { placesOfPrograms } from '../../adapters/fs/program-places.ts'
import { resolveReal } from '../../adapters/fs/resolve-real.ts'
import { readJournal } from '../../adapters/sessions/read-journal.ts'
import { runCheck } from '../../adapters/tools/shell/run-check.ts'
import type { Decision, PermissionRequest, Policy } from '../../protocol/permissions/permission.ts'
import type { CheckEvidenceInput, CheckEvidenceOutput } from '../../protocol/work/task-port.ts'
import type { Evidence } from '../../protocol/work/task.ts'
import { ranWell } from '../../rules/tools/command-run.ts'
import { isInside, resolveFrom } from '../../rules/paths/path-inside.ts'
import { analyse } from '../../rules/permissions/analyse.ts'
import { followPaths } from '../../rules/permissions/followed-paths.ts'
import { decide } from '../../rules/permissions/cascade.ts'
import { commandWrap } from '../permissions/sandbox.ts'
import { preparedRules } from '../settings/policy.ts'

/** The directories and permissions under which evidence is checked. */
export interface EvidenceOptions {
  /** Where a member works. */
  cwd(member: string): string
  readonly home: string
  /** For the commands of declared checks: without credentials. */
  readonly env: Readonly<Record<string, string>>
  /** Permissions of the member that did the work: files are read and checks are run on its behalf. */
  policy(member: string): Policy
  journalFile(member: string): string
  /** When the member took the task. */
  claimedAt(task: number): number
}

const checkTimeoutMs = 600_000
const shownOutput = { head: 500, tail: 1_500 } as const

/**
 * Holds each piece of evidence against the world; the first that does not hold says why.
 * A command must stand in the member's own journal, since the claim, with a good end. A file must have that content now.
 * A declared check is run. Both are done by permission of the member's own rules: whose evidence is wrong is told what
 * was found.
 */
export async function checkEvidence(input: CheckEvidenceInput, plan: EvidenceOptions, signal: AbortSignal) {
  for (const piece of input.evidence) {
    const flaw = await flawIn(piece, input, { plan, signal })
    if (flaw !== null) return { ok: false, reason: flaw } satisfies CheckEvidenceOutput
  }
  return { ok: true } satisfies CheckEvidenceOutput
}

interface Means {
  readonly plan: EvidenceOptions
  readonly signal: AbortSignal
}

function flawIn(piece: Evidence, input: CheckEvidenceInput, means: Means): Promise<string | null> | string | null {
  if ('command' in piece) return flawInCommand(piece.command, input, means.plan)
  if ('file' in piece) return flawInFile(piece, input.by, means.plan)
  return flawInCheck(piece.check, input, means)
}

function flawInCommand(command: string, { by, task }: CheckEvidenceInput, plan: EvidenceOptions): string | null {
  const { entries } = readJournal(plan.journalFile(by))
  if (ranWell(entries, command, plan.claimedAt(task))) return null
  return `${by} has not run \`${command}\` to a good end since the task was claimed. Run it with Bash, exactly as written here.`
}

async function flawInFile({ file, sha256 }: { file: string; sha256: string }, by: string, plan: EvidenceOptions) {
  const cwd = plan.cwd(by)
  const path = resolveFrom(cwd, plan.home, file)
  const real = resolveReal(path)
  if (!isInside(resolveReal(cwd), real)) return `${file} lies outside of the working directory.`
  const { behavior, reason } = decisionOn({ tool: 'Read', input: { file_path: path } }, by, plan)
  if (behavior !== 'allow') return `${file} may not be read: ${reason}`
  const opened = await openFile(path, real)
  if ('trouble' in opened) return `${file} cannot be read: ${opened.trouble}`
  try {
    const found = await hashOfRest(opened)
    return found === sha256 ? null : `${file} has the SHA-256 ${found}.`
  } finally {
    await opened.close()
  }
}

async function flawInCheck(name: string, input: CheckEvidenceInput, { plan, signal }: Means): Promise<string | null> {
  const command = input.checks[name] ?? ''
  const { home, env } = plan
  const { behavior, reason } = decisionOn({ tool: 'Bash', input: { command } }, input.by, plan)
  if (behavior !== 'allow') {
    return `the check "${name}" may not run: ${reason} Allow Bash(${command}) in the team file or in settings.`
  }
  const { passed, report } = await runCheck({
    command,
    cwd: plan.cwd(input.by),
    env,
    signal,
    timeoutMs: checkTimeoutMs,
    shown: shownOutput,
    wrapCommand: commandWrap(() => plan.policy(input.by), home),
  })
  return passed ? null : `the check "${name}" did not pass: ${report}`
}

function decisionOn(call: Pick<PermissionRequest, 'tool' | 'input'>, by: string, plan: EvidenceOptions): Decision {
  const policy = plan.policy(by)
  const searched = placesOfPrograms(policy, plan.env['PATH'])
  const action = analyse({ ...call, cwd: plan.cwd(by), home: plan.home, searched })
  return decide(followPaths(action, resolveReal), policy, preparedRules(policy))
}
