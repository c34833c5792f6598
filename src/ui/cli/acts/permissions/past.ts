import { resolve } from 'node:path'
import { replayCalls, type Replay } from '../../../../runtime/permissions/replay-calls.ts'
import { usageReport, type UsageReport } from '../../../../runtime/permissions/usage-report.ts'
import { runDirectoriesIn } from '../../../../runtime/runs/answer-approval.ts'
import { plainLine, plainText } from '../../../text/plain-text.ts'
import { exitCodes, type ExitCode } from '../../host/exit-codes.ts'
import { printEither, workingDirectory, type Host, type Values } from '../../host/host.ts'
import { UserError } from '../../host/user-error.ts'
import { runDirectoryOf, type RunChoice } from '../../runs/run-choice.ts'
import { table } from '../../text/table.ts'

/** Prints what the rules did in past runs, and what to allow. */
export async function permissionsReport(
  run: string | undefined,
  options: RunChoice & Values<'since', number>,
  host: Host,
): Promise<ExitCode> {
  const { since } = options
  if (run !== undefined && since !== undefined) throw new UserError('name a run, or give --since for all of them')
  const cwd = workingDirectory(options.cwd, host)
  const dirs = since === undefined ? [runDirectoryOf(run, options, host)] : runDirectoriesIn(cwd)
  const from = since === undefined ? 0 : host.now() - since
  const { home, policyRoot } = host
  const report = await usageReport(dirs, { cwd, home, policyRoot, since: from })
  const { change, ...said } = report
  const diff = change === null ? '' : await patchOf(change)
  await printEither({ document: { ...said, diff }, text: reportText(report, diff) }, options, host)
  return exitCodes.done
}

/** The proposals as a patch that a person can read, and apply. */
async function patchOf({ file, before, after }: NonNullable<UsageReport['change']>): Promise<string> {
  const { createTwoFilesPatch } = await import('diff')
  const patch = createTwoFilesPatch(before === '' ? '/dev/null' : `a/${file}`, `b/${file}`, before, after, '', '', {
    context: 3,
  })
  return patch.slice(patch.indexOf('---'))
}

const wayOn =
  'Take over what you want of it (--json | jq -r .diff | git apply takes all); troupe trust then makes it count.'

function reportText({ runs, calls, asked, unmatched, proposals }: UsageReport, diff: string): string {
  const questions = asked.reduce((sum, { count }) => sum + count, 0)
  const rows = asked.map(({ rule, source, count, allowed, denied, unanswered, example }) => [
    String(count),
    [`${allowed} yes`, `${denied} no`, ...(unanswered > 0 ? [`${unanswered} unanswered`] : [])].join(', '),
    rule === null ? `no rule (${source})` : `${rule} (${source})`,
    shortened(example),
  ])
  const idle = unmatched.map(({ list, source, rule, at = '' }) =>
    `  ${list} ${plainLine(rule)}  ${source} ${at}`.trimEnd(),
  )
  return [
    `${calls} calls in ${runs.length} ${runs.length === 1 ? 'run' : 'runs'}, ${questions} asked about`,
    ...(rows.length === 0 ? [] : [table(['ASKED', 'ANSWERS', 'BECAUSE OF', 'FOR EXAMPLE'], rows).trimEnd()]),
    ...(idle.length === 0 ? [] : ['rules that matched no call:', ...idle]),
    ...proposals.map(
      ({ rules, spares }) => `${spares} of them would not be asked with: ${plainLine(rules.join(' and '))}`,
    ),
    ...(diff === '' ? [] : [plainText(diff).trimEnd(), wayOn]),
  ].join('\n')
}

/** Judges the calls of a run under the rules of a file and prints those that would change. */
export async function permissionsReplay(
  run: string,
  options: RunChoice & { readonly settings: string },
  host: Host,
): Promise<ExitCode> {
  const { home, policyRoot } = host
  const dir = runDirectoryOf(run, options, host)
  const file = resolve(host.cwd, options.settings)
  const replay = await replayCalls(dir, file, { home, policyRoot }).catch((error: unknown) => {
    throw error instanceof Error && !('code' in error) ? new UserError(error.message) : error
  })
  await printEither({ document: replay, text: replayText(replay) }, options, host)
  return exitCodes.done
}

function replayText({ calls, changed, counts }: Replay): string {
  if (changed.length === 0) return `${calls} calls, none would be decided otherwise`
  const sums = Object.entries(counts).map(([change, count]) => `${count} ${change}`)
  const rows = changed.map(({ member, call, from, to, reason, rule }) => [
    `${from} → ${to}`,
    member,
    shortened(call),
    plainLine(rule ?? reason),
  ])
  return `${calls} calls, ${changed.length} would change: ${sums.join(', ')}\n${table(['CHANGE', 'MEMBER', 'CALL', 'BECAUSE OF'], rows).trimEnd()}`
}

function shortened(call: string): string {
  const line = plainLine(call)
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}
