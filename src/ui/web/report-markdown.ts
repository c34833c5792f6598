import { tokensOf } from '../../projections/cost/cost.ts'
import type { RunSheet } from '../../runtime/reports/read-sheet.ts'
import { costText, durationText, tokensText } from '../text/figures.ts'
import { plainLine, plainText } from '../text/plain-text.ts'

/** The most characters of the answer: a comment of a pull request holds 65,536. */
const longestAnswer = 20_000

/**
 * A run as Markdown, for a comment on a pull request: how it ended, who did what at which cost, the answer. Texts of others are
 * shown as they are: none of them becomes markup, a mention or a link.
 *
 * @example reportMarkdown(readSheet(dir))
 */
export function reportMarkdown({
  run,
  team,
  task,
  status,
  reason,
  result,
  cost,
  members,
  duration_ms,
  lines,
}: RunSheet): string {
  const spent = new Map(cost.members.map((each) => [each.name, each]))
  const rows = members.map(({ name, model }) => {
    const own = spent.get(name)
    const tokens = own === undefined ? '-' : tokensText(tokensOf(own.usage))
    return `| ${cell(name)} | ${cell(model)} | ${own?.answers ?? 0} | ${tokens} | ${own === undefined ? '-' : costText(own.cost_usd)} |`
  })
  const warnings = lines.filter(({ kind }) => kind === 'warning')
  return [
    `### ${cell(team)}: ${status ?? 'not ended'}`,
    '',
    ...fenced(task, 2_000),
    `${cost.total.answers} answers, ${tokensText(tokensOf(cost.total.usage))} tokens, ${costText(cost.total.cost_usd)}, ${durationText(duration_ms)} · \`${run}\``,
    '',
    ...(status === 'completed' || reason === null ? [] : ['**Reason**', '', ...fenced(reason, 2_000)]),
    '| member | model | answers | tokens | cost |',
    '| --- | --- | ---: | ---: | ---: |',
    ...rows,
    '',
    '**Answer**',
    '',
    ...fenced(result ?? 'There is no answer.', longestAnswer),
    ...(warnings.length === 0 ? [] : ['**Warnings**', '', ...fenced(warnings.map(warningText).join('\n'), 4_000)]),
  ].join('\n')
}

function warningText({ owner, head, text }: RunSheet['lines'][number]): string {
  return `${owner}: ${plainLine(head)}${text === '' ? '' : `: ${plainLine(text)}`}`
}

/** A block in which nothing is markup: its fence is longer than any in the text. */
function fenced(text: string, most: number): readonly string[] {
  const plain = plainText(text)
  const shown = plain.length > most ? `${plain.slice(0, most)}\n… ${plain.length - most} characters more` : plain
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return [`${fence}text`, shown, fence, '']
}

/** A text of one line in which nothing is markup. */
function cell(text: string): string {
  return plainLine(text).replace(/[\\`*_{}[\]<>()#+!|~@&:/-]/g, (sign) => `&#${sign.codePointAt(0)};`)
}
