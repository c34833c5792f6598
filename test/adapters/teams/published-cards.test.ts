import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isSource, readSource } from '../../../src/adapters/teams/read-source.ts'
import { readSubagentCard, type CardRead } from '../../../src/adapters/teams/subagent-card.ts'

/** Subagent cards as other people published them, with what is known about each. */
const folder = '../shared/accept/skills'
const list = join(folder, 'agents.jsonl')

interface Known {
  readonly file: string
  readonly yaml: string
  readonly tools?: readonly string[] | null
  readonly descriptionLength?: number
  readonly promptChars: number
}

const cards = existsSync(list)
  ? readFileSync(list, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Known)
  : []
if (cards.length === 0) console.warn(`skipped: ${list} is absent, published subagent cards are not tried`)

async function read(card: Known): Promise<CardRead> {
  const source = readSource(card.file, join(folder, card.file))
  if (!isSource(source)) throw new Error(source.message)
  return readSubagentCard(source)
}

describe.skipIf(cards.length === 0)('published subagent cards', () => {
  test.for(cards.filter(({ yaml }) => yaml === 'valid'))('$file is read', async (card) => {
    const { card: found, diagnostics } = await read(card)
    expect(diagnostics).toEqual([])
    expect(found.tools ?? null).toEqual(card.tools ?? null)
    // The list counts the white space at the ends as well.
    expect(Math.abs((found.description?.length ?? 0) - (card.descriptionLength ?? 0))).toBeLessThan(2)
    expect(Math.abs((found.prompt?.length ?? 0) - card.promptChars)).toBeLessThan(5)
  })

  test.for(cards.filter(({ yaml }) => yaml !== 'valid'))('$file names the line of its mistake', async (card) => {
    const { diagnostics } = await read(card)
    expect(diagnostics.length).toBeGreaterThan(0)
    expect(diagnostics[0]).toMatchObject({ severity: 'error', file: card.file, line: 3 })
    expect(diagnostics[0]?.hint).toContain('quotes')
  })
})
