import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { isSource, readSource } from '../../../src/adapters/teams/read-source.ts'
import { readSubagentCard, type CardRead } from '../../../src/adapters/teams/card-chain.ts'

/** Subagent cards as they are published: nobody wrote them for this program. */
const sampleSchema = z.strictObject({
  card: z.string(),
  text: z.string(),
  /** What is read from it. */
  is: z.looseObject({}).optional(),
  /** The line of its mistake. */
  wrong: z.number().optional(),
  /** The line of a text that is taken as it stands. */
  doubt: z.number().optional(),
})

type Sample = z.output<typeof sampleSchema>

const samples = z.array(sampleSchema).parse(parse(readFileSync('test/accept/samples/cards.yaml', 'utf8')))

function read({ text }: Sample): CardRead {
  const dir = mkdtempSync(join(tmpdir(), 'troupe-cards-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  writeFileSync(join(dir, 'card.md'), text)
  const source = readSource('card.md', join(dir, 'card.md'))
  if (!isSource(source)) throw new Error(source.message)
  return readSubagentCard(source)
}

describe('published subagent cards', () => {
  test.for(samples.filter(({ is }) => is))('$card: is read', (sample) => {
    const { card, diagnostics } = read(sample)
    expect(card).toEqual(sample.is)
    expect(diagnostics.map(({ severity, code, line }) => `${severity} ${code} ${line}`)).toEqual(
      sample.doubt === undefined ? [] : [`warning unquoted_text ${sample.doubt}`],
    )
  })

  test.for(samples.filter(({ wrong }) => wrong))('$card: names the line of the mistake', (sample) => {
    const { diagnostics } = read(sample)
    expect(diagnostics.length).toBeGreaterThan(0)
    expect(diagnostics[0]).toMatchObject({ severity: 'error', file: 'card.md', line: sample.wrong })
    expect(diagnostics[0]?.hint).toContain('quotes')
  })
})
