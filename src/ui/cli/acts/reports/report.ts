import { resolve } from 'node:path'
import { readSheet } from '../../../../runtime/reports/read-sheet.ts'
import { reportHtml } from '../../../web/report-html.ts'
import { reportMarkdown } from '../../../web/report-markdown.ts'
import { exitCodes, type ExitCode } from '../../host/exit-codes.ts'
import { print, printEither, printJson, type Flags, type Host, type Values } from '../../host/host.ts'
import { UserError } from '../../host/user-error.ts'
import { writeOutput } from '../../host/write-output.ts'
import { runDirectoryOf, type RunChoice } from '../../runs/run-choice.ts'

export type ReportOptions = RunChoice & Flags<'markdown'> & Values<'out'>

/** Writes a run as one HTML file, or as Markdown. */
export async function reportRun(run: string | undefined, options: ReportOptions, host: Host): Promise<ExitCode> {
  const { json, markdown, out } = options
  const sheet = readSheet(runDirectoryOf(run, options, host))
  if (json && out === undefined) {
    await printJson(host.stdout, sheet)
    return exitCodes.done
  }
  if (out === undefined && !markdown && host.stdout.isTTY) {
    throw new UserError('a report is a page: say --out run.html, or send it into a file')
  }
  const text = markdown ? reportMarkdown(sheet) : reportHtml(sheet)
  if (out === undefined) {
    await print(host.stdout, `${text.trimEnd()}\n`)
    return exitCodes.done
  }
  const file = resolve(host.cwd, out)
  writeOutput(file, text, { option: '--out' })
  await printEither({ document: { run: sheet.run, file, bytes: Buffer.byteLength(text) }, text: file }, options, host)
  return exitCodes.done
}
