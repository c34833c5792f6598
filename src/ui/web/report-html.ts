import { Buffer } from 'node:buffer'
import { tokensOf } from '../../projections/cost/cost.ts'
import type { TranscriptLine } from '../../projections/screen/transcript.ts'
import { localTime } from '../../protocol/words/local-time.ts'
import type { RunSheet } from '../../runtime/reports/read-sheet.ts'
import { costText, durationText, tokensText } from '../text/figures.ts'
import { html, type Markup } from './markup.ts'
import { reportStyle, reportStyleHash } from './report-style.ts'
import { timeline } from './timeline.ts'

/** The most bytes of a report, so that it can be attached to a pull request. */
export const mostReportBytes = 2_000_000

/** How many characters of a text are shown: reports of long runs are cut shorter, until they fit. */
const mostProblems = 50
const textCaps = [4_000, 1_200, 400, 120, 40]

/**
 * One HTML document that shows a run. It holds no script, asks for nothing, and every text in it is escaped, so that it opens
 * from a file and may be attached to a CI run.
 *
 * @returns at most 2 MB: texts of long runs are cut, and at last the oldest lines are left out
 * @example writeFileSync('run.html', reportHtml(readSheet(dir)))
 */
export function reportHtml(sheet: RunSheet, leftOut = 0): string {
  for (const cap of textCaps) {
    const { markup } = documentOf(sheet, { cap, leftOut })
    if (Buffer.byteLength(markup) <= mostReportBytes) return markup
  }
  if (sheet.lines.length === 0) return documentOf(sheet, { cap: 40, leftOut }).markup
  const kept = Math.floor(sheet.lines.length / 2)
  const lines = sheet.lines.slice(sheet.lines.length - kept)
  return reportHtml({ ...sheet, lines }, leftOut + sheet.lines.length - kept)
}

interface Cut {
  readonly cap: number
  readonly leftOut: number
}

function documentOf(sheet: RunSheet, cut: Cut): Markup {
  const policy = `default-src 'none'; style-src '${reportStyleHash}'; base-uri 'none'; form-action 'none'`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${{ markup: policy }}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${`${sheet.team}: ${sheet.status ?? 'not ended'}`}</title>
<style>${{ markup: reportStyle }}</style>
</head>
<body><main>
${headOf(sheet, cut)}
${membersOf(sheet)}
<h2>Time</h2>
${timeline(sheet)}
${filesOf(sheet)}
${logOf(sheet, cut)}
</main></body>
</html>
`
}

function headOf(sheet: RunSheet, { cap }: Cut): Markup {
  const { run, team, task, status, reason, result, cost, began, duration_ms, problems, lines } = sheet
  const { day, clock, zone } = localTime(began)
  const figures = [
    ['members', String(sheet.members.length)],
    ['answers', String(cost.total.answers)],
    ['tokens', tokensText(tokensOf(cost.total.usage))],
    ['cost', costText(cost.total.cost_usd)],
    ['time', durationText(duration_ms)],
  ] as const
  const why =
    status === 'completed' || reason === null ? [] : [html`<p class="note">Reason: ${shortened(reason, cap)}</p>`]
  const hidden =
    problems.length > mostProblems ? [`${problems.length - mostProblems} more problems of the journals`] : []
  const unread = [...problems.slice(0, mostProblems), ...hidden].map(
    (problem) => html`<p class="note">${shortened(problem, cap)}</p>`,
  )
  const answer =
    result === null
      ? html`<p class="dim">There is no answer.</p>`
      : html`<div class="answer">${shortened(result, cap * 4)}</div>`
  return html`<h1>${team} <span class="chip ${status ?? 'open'}">${status ?? 'not ended'}</span></h1>
<p class="dim">${run} · ${day} ${clock} ${zone}</p>
<p>${shortened(task, cap)}</p>
${why}
<ul class="figures">${figures.map(([name, value]) => html`<li><b>${value}</b><span class="dim">${name}</span></li>`)}</ul>
<h2>Answer</h2>
${answer}${warningsOf(lines, cap)}${unread}`
}

/** The most warnings that are listed above the log. */
const mostWarnings = 20

/** The latest warnings, each with a link to its place in the log. */
function warningsOf(lines: RunSheet['lines'], cap: number): Markup {
  const all = lines.filter(({ kind }) => kind === 'warning')
  if (all.length === 0) return html``
  const listed = all.slice(-mostWarnings).map(({ entry, owner, head, text }) => {
    const words = text === '' ? head : `${head}: ${shortened(text, Math.min(cap, 300))}`
    return html`<li><a href="#${entry}"><b>${owner}</b> ${words}</a></li>`
  })
  const more = all.length - mostWarnings
  const earlier = more > 0 ? [html`<li>${more} more in the log.</li>`] : []
  return html`<h2>Warnings</h2>
<ul class="note">${listed}${earlier}</ul>`
}

function membersOf({ members, cost }: RunSheet): Markup {
  const spent = new Map(cost.members.map((each) => [each.name, each]))
  const rows = members.map(({ name, model, description }) => {
    const own = spent.get(name)
    const tokens = own === undefined ? '-' : tokensText(tokensOf(own.usage))
    const dollars = own === undefined ? '-' : costText(own.cost_usd)
    const about = description === '' ? model : `${model} · ${shortened(description, 200)}`
    return html`<tr><td><b>${name}</b><br><span class="dim">${about}</span></td><td class="n">${own?.answers ?? 0}</td><td
  class="n">${tokens}</td><td class="n">${dollars}</td></tr>`
  })
  return html`<h2>Members</h2>
<div class="scroll"><table><thead><tr><th>Member</th><th class="n">Answers</th><th class="n">Tokens</th><th
  class="n">Cost</th></tr></thead><tbody>${rows}</tbody></table></div>`
}

/** The most files that a report lists. */
const mostFiles = 500

function filesOf({ files }: RunSheet): Markup {
  if (files.length === 0) return html``
  const more = files.length > mostFiles ? `\n… and ${files.length - mostFiles} more` : ''
  return html`<h2>Changed files</h2>
<pre>${files.slice(0, mostFiles).join('\n')}${more}</pre>`
}

function logOf({ lines }: RunSheet, { cap, leftOut }: Cut): Markup {
  const note =
    leftOut === 0 ? [] : [html`<p class="note">${leftOut} older entries are left out; troupe logs shows them.</p>`]
  return html`<h2>Log</h2>
${note}<ol class="log">${lines.map((line) => lineOf(line, cap))}</ol>`
}

/** Kinds whose text is shown at once; other texts unfold. */
const shownAtOnce: ReadonlySet<TranscriptLine['kind']> = new Set(['say', 'person', 'warning', 'end'])

function lineOf({ entry, at, owner, kind, head, text }: TranscriptLine, cap: number): Markup {
  const label = html`<time>${localTime(at).clock}</time><span class="who">${owner}</span><span class="${kind}">${shortened(
    head,
    200,
  )}</span>`
  if (text.trim() === '') return html`<li id="${entry}">${label}</li>`
  const body = shortened(text, cap)
  if (shownAtOnce.has(kind)) return html`<li id="${entry}" class="say">${label}<p>${body}</p></li>`
  return html`<li id="${entry}"><details><summary>${label}</summary><pre>${body}</pre></details></li>`
}

/** A text with its beginning and its end, where it is too long. */
function shortened(text: string, cap: number): string {
  if (text.length <= cap) return text
  const half = Math.floor(cap / 2)
  return `${text.slice(0, half)}\n… ${text.length - 2 * half} characters …\n${text.slice(-half)}`
}
