import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { NoSheet, readSheet, type RunSheet } from '../../../../runtime/reports/read-sheet.ts'
import { reportHtml } from '../../../web/report-html.ts'
import { reportMarkdown } from '../../../web/report-markdown.ts'
import { exitCodes, type ExitCode } from '../../host/exit-codes.ts'
import { print, printEither, printJson, type Flags, type Host, type Values } from '../../host/host.ts'
import { UserError } from '../../host/user-error.ts'
import { runDirectoryOf, type RunChoice } from '../../runs/run-choice.ts'

export type ReportOptions = RunChoice & Flags<'markdown'> & Values<'out'>

/** Writes a run as one HTML file, or as Markdown. */
export async function reportRun(run: string | undefined, options: ReportOptions, host: Host): Promise<ExitCode> {
  const { json, markdown, out } = options
  const sheet = sheetOf(runDirectoryOf(run, options, host))
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
  writeReport(file, text)
  await printEither({ document: { run: sheet.run, file, bytes: Buffer.byteLength(text) }, text: file }, options, host)
  return exitCodes.done
}

function sheetOf(dir: string): RunSheet {
  try {
    return readSheet(dir)
  } catch (error) {
    if (error instanceof NoSheet) throw new UserError(error.message)
    throw error
  }
}

function writeReport(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new UserError(`the report cannot be written: ${String(error)}; name another file with --out`)
  }
}
