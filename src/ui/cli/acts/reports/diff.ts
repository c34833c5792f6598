import { tokensOf } from '../../../../projections/cost/cost.ts'
import type { ComparedWork, Sides } from '../../../../projections/work/compare-work.ts'
import { diffRuns, type DiffedRun, type RunDiff } from '../../../../runtime/reports/diff-runs.ts'
import { costText, durationText, tokensText } from '../../../text/figures.ts'
import { plainLine, plainText } from '../../../text/plain-text.ts'
import type { Paint } from '../../../text/terminal-text.ts'
import { paintFor } from '../../../text/theme.ts'
import { exitCodes, type ExitCode } from '../../host/exit-codes.ts'
import { printEither, type Host } from '../../host/host.ts'
import { runDirectoryOf, type RunChoice } from '../../runs/run-choice.ts'
import { table } from '../../text/table.ts'

/** Prints how two runs differ: path, tools, files, cost and answer, task by task. */
export async function diff(
  { a, b }: { readonly a: string; readonly b: string },
  options: RunChoice,
  host: Host,
): Promise<ExitCode> {
  const compared = diffRuns(runDirectoryOf(a, options, host), runDirectoryOf(b, options, host))
  const text = diffText(compared, paintFor(host.stdout, host.env))
  await printEither({ document: compared, text: text.trimEnd() }, options, host)
  return exitCodes.done
}

function diffText(compared: RunDiff, paint: Paint): string {
  const { a, b, team, work, files, same } = compared
  const parts = [
    table(['', plainLine(a.run), plainLine(b.run)], figuresOf(a, b)),
    ...(team.length === 0 ? [] : [`The second team has otherwise: ${plainLine(team.join('; '))}\n`]),
    ...work.map((piece) => workText(piece, paint)),
    ...(files.length === 0 ? [] : [`files\n${files.map((file) => `  ${fileText(file)}\n`).join('')}`]),
    same ? 'The same path, answers and files.\n' : '',
  ]
  return parts.filter((part) => part !== '').join('\n')
}

function figuresOf(a: DiffedRun, b: DiffedRun): readonly (readonly string[])[] {
  const row = (name: string, of: (run: DiffedRun) => string): readonly string[] => [name, of(a), of(b)]
  return [
    row('status', ({ status }) => status ?? 'not ended'),
    row('answers', ({ answers }) => String(answers)),
    row('tokens', ({ usage }) => tokensText(tokensOf(usage))),
    row('cost', ({ cost_usd }) => costText(cost_usd)),
    row('time', ({ duration_ms }) => durationText(duration_ms)),
  ]
}

function workText(piece: ComparedWork, paint: Paint): string {
  const { member, task, path, spending, answer } = piece
  const title = `${paint('bold', `${member}: ${shortened(task.a ?? task.b ?? '')}`)}${onlyIn(task)}\n`
  const asked = task.a === null || task.b === null || task.a === task.b ? '' : sidesText('task', task, paint)
  const steps = path.map((step) => `  ${painted(step.in, plainLine(step.label), paint)}\n`).join('')
  const answers = answer.a === answer.b ? '  the same answer\n' : sidesText('answer', answer, paint)
  const costs = [spending.a, spending.b].map((spent) => (spent === null ? '-' : costText(spent.cost_usd)))
  return `${title}${asked}${steps}${answers}  cost ${costs.join(' → ')}\n`
}

function onlyIn({ a, b }: Sides<string>): string {
  if (a === null) return ' (only in the second run)'
  return b === null ? ' (only in the first run)' : ''
}

function painted(side: 'both' | 'a' | 'b', text: string, paint: Paint): string {
  if (side === 'both') return `  ${text}`
  return side === 'a' ? paint('red', `- ${text}`) : paint('green', `+ ${text}`)
}

function sidesText(what: string, { a, b }: Sides<string>, paint: Paint): string {
  const lines = (side: 'a' | 'b', text: string | null): string =>
    plainText(text ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => `    ${painted(side, line, paint)}\n`)
      .join('')
  return `  ${what}\n${lines('a', a)}${lines('b', b)}`
}

function fileText({ path, a, b }: RunDiff['files'][number]): string {
  const name = plainLine(path)
  if (a === null) return `${name}: only the second run wrote it`
  return b === null ? `${name}: only the first run wrote it` : `${name}: other contents`
}

function shortened(text: string): string {
  const line = plainLine(text.split('\n')[0] ?? '')
  return line.length > 100 ? `${line.slice(0, 99)}…` : line
}
