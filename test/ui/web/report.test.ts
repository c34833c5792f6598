import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { TranscriptLine } from '../../../src/projections/screen/transcript.ts'
import type { RunSheet } from '../../../src/runtime/reports/read-sheet.ts'
import { mostReportBytes, reportHtml } from '../../../src/ui/web/report-html.ts'
import { reportMarkdown } from '../../../src/ui/web/report-markdown.ts'
import { hostileTexts } from './hostile-texts.ts'

const usage = { input: 10, output: 5, cache_read: 0, cache_write: 0 }
const spending = { answers: 1, usage, cost_usd: 0.01 }
const kinds: readonly TranscriptLine['kind'][] = ['person', 'say', 'call', 'result', 'error', 'sent', 'life', 'warning']

/** A run in which every text is this one: task, names, models, tool output, paths, the answer. */
function sheetOf(text: string): RunSheet {
  const lines = kinds.map((kind, index): TranscriptLine => {
    return { entry: `${text}-${index}`, at: 1_000 + index, owner: text, kind, head: text, text }
  })
  return {
    run: text,
    team: text,
    task: text,
    began: 1_000,
    ended: 9_000,
    duration_ms: 8_000,
    status: 'failed',
    reason: text,
    result: text,
    cost: { run: text, total: spending, members: [{ name: text, ...spending }], models: [], purposes: [] },
    members: [{ name: text, model: text, description: text }],
    files: [text],
    spans: [
      { member: text, kind: 'work', from: 1_000, to: 8_000, label: '' },
      { member: text, kind: 'wait', from: 2_000, to: null, label: '' },
    ],
    lines,
    problems: [text],
  }
}

/** The elements of a document with the names of their attributes, as a parser meets them. */
function elementsOf(document: string): readonly string[] {
  return [...document.matchAll(/<\/?([a-z!][a-z0-9]*)((?:\s+[a-z:-]+(?:="[^"]*")?)*)\s*>/gi)].map(
    ([, name = '', attributes = '']) => `${name}${attributes.replace(/="[^"]*"/g, '')}`,
  )
}

describe('a report shows hostile texts as texts', () => {
  const benign = elementsOf(reportHtml(sheetOf('plain')))
  test.each(hostileTexts)('%s', (text) => {
    const document = reportHtml(sheetOf(text))
    expect(elementsOf(document)).toEqual(benign)
    // Every sign that begins an element begins one of the page's own.
    expect(document.match(/</g)?.length).toBe(benign.length)
    expect(
      reportMarkdown(sheetOf(text))
        .split('\n')
        .filter((line) => line.startsWith('### ')),
    ).toHaveLength(1)
  })

  test('there are as many texts as were asked for', () => {
    expect(new Set(hostileTexts).size).toBeGreaterThanOrEqual(60)
    expect(benign.length).toBeGreaterThan(50)
  })
})

test('a report holds no script, asks for nothing, and its policy allows its own style alone', () => {
  const document = reportHtml(sheetOf('plain'))
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(document) ?? []
  const hash = createHash('sha256').update(style).digest('base64')
  expect(document).toContain(
    `content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`,
  )
  expect(document).not.toMatch(/<script|<link|<img|<iframe|\son[a-z]+=|url\(|@import|https?:/i)
})

test('a warning leads from above the log to its place there', () => {
  const document = reportHtml(sheetOf('plain'))
  expect(document).toContain('<a href="#plain-7"><b>plain</b> plain: plain</a>')
  expect(document).toContain('<li id="plain-7"')
})

test('a run of 1,000 turns with long outputs fits into 2 MB, its last words included', () => {
  const long = 'output <of> a "tool" & more\n'.repeat(400)
  const turns = Array.from({ length: 1_000 }, (_, turn): readonly TranscriptLine[] => {
    const line = { entry: `ana-${turn}`, at: 1_000 + turn, owner: 'ana' }
    return [
      { ...line, kind: 'say', head: 'says', text: `Turn ${turn}. ${long.slice(0, 900)}` },
      { ...line, kind: 'call', head: 'Bash(make)', text: '' },
      { ...line, kind: 'result', head: 'Bash(make)', text: long },
    ]
  })
  const document = reportHtml({ ...sheetOf('plain'), lines: turns.flat() })
  expect(Buffer.byteLength(document)).toBeLessThanOrEqual(mostReportBytes)
  expect(document).toContain('Turn 0.')
  expect(document).toContain('Turn 999.')
  expect(document).toContain('characters …')
})

test('of a run that is too long for any cut the oldest entries are left out, and the report says so', () => {
  const line = { at: 1_000, owner: 'ana', kind: 'say', head: 'says' } as const
  const lines = Array.from({ length: 20_000 }, (_, n): TranscriptLine => ({
    ...line,
    entry: `ana-${n}`,
    text: `Word ${n}.`,
  }))
  const document = reportHtml({ ...sheetOf('plain'), lines })
  expect(Buffer.byteLength(document)).toBeLessThanOrEqual(mostReportBytes)
  expect(document).toMatch(/\d+ older entries are left out/)
  expect(document).toContain('Word 19999.')
})

test('a comment shows texts in fences that no text of them closes', () => {
  const comment = reportMarkdown(sheetOf('a ```` b | c @ada <b>'))
  expect(comment).toContain('`````text\na ```` b | c @ada <b>\n`````')
  expect(comment).toContain('| a &#96;&#96;&#96;&#96; b &#124; c &#64;ada &#60;b&#62; |')
})

test('a report of journals that nobody can read ends, and counts what it leaves out', () => {
  const problems = Array.from({ length: 60_000 }, (_, i) => `journal/a.jsonl:${i}: is no JSON`)
  const document = reportHtml({ ...sheetOf('plain'), lines: [], problems })
  expect(Buffer.byteLength(document)).toBeLessThan(mostReportBytes)
  expect(document).toContain('59950 more problems of the journals')
})
