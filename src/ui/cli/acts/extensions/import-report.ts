import { resolve } from 'node:path'
import { importReport, type ImportedKey } from '../../../../runtime/settings/import-report.ts'
import { plainLine, plainText } from '../../../text/plain-text.ts'
import { exitCodes, type ExitCode } from '../../host/exit-codes.ts'
import { printEither, workingDirectory, type Flags, type Host } from '../../host/host.ts'
import { UserError } from '../../host/user-error.ts'
import { table } from '../../text/table.ts'

const words: Readonly<Record<ImportedKey['verdict'], string>> = {
  honoured: 'honoured',
  differently: 'honoured differently',
  not: 'not honoured',
}

/**
 * Says for each key of other programs' configuration what becomes of it. Nothing is written.
 * @throws UserError without `--report`: taking over happens by itself where a key is honoured
 */
export async function printImportReport(
  directory: string | undefined,
  options: Flags<'json' | 'report'>,
  host: Host,
): Promise<ExitCode> {
  if (options.report !== true) {
    throw new UserError(
      'nothing has to be taken over: what is honoured counts where it lies; --report says what that is',
    )
  }
  const cwd = resolve(workingDirectory(directory, host))
  const { home, policyRoot } = host
  const keys = await importReport({ cwd, home, policyRoot })
  const count = (verdict: ImportedKey['verdict']): number => keys.filter((each) => each.verdict === verdict).length
  const summary = { honoured: count('honoured'), differently: count('differently'), not: count('not') }
  await printEither({ document: { summary, keys }, text: plainText(reportText(keys, summary, host)) }, options, host)
  return exitCodes.done
}

function reportText(
  keys: readonly ImportedKey[],
  summary: Readonly<Record<ImportedKey['verdict'], number>>,
  host: Host,
): string {
  if (keys.length === 0) return 'There is no configuration of Claude Code, opencode, Codex or Gemini CLI here.'
  const rows = keys.map(({ file, line, key, verdict, how }) => [
    `${file}:${line}`,
    plainLine(key),
    words[verdict],
    plainLine(how),
  ])
  const counted = `${summary.honoured} honoured, ${summary.differently} honoured differently, ${summary.not} not honoured`
  return `${table(['WHERE', 'KEY', 'VERDICT', 'HOW OR WHY'], rows, host.stdout.columns).trimEnd()}\n\n${counted}`
}
