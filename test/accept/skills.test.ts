import { mkdirSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readInstructions } from '../../src/adapters/instructions/read-instructions.ts'
import { readSubagentCard } from '../../src/adapters/teams/card-chain.ts'
import { isSource, readSource } from '../../src/adapters/teams/read-source.ts'
import { findSkills, skillsAt } from '../../src/runtime/skills/find-skills.ts'
import { readySkills } from '../../src/runtime/skills/found-skills.ts'
import { furtherCases } from './further-cases.ts'

const { folder, present } = furtherCases('skills')

interface Case {
  readonly id: string
  readonly path: string
  readonly why: string
  readonly strict: 'valid' | 'invalid' | 'either'
  readonly lenient: string | null
}

interface Published {
  readonly path: string
  readonly name: string
  readonly descriptionLength: number
  readonly descriptionHead: string
}

interface PublishedCard {
  readonly file: string
  readonly name: string
  readonly yaml: string
  readonly tools?: readonly string[] | null
  readonly descriptionLength?: number
  readonly promptChars: number
}

function lines(file: string): readonly unknown[] {
  if (!present) return []
  const text = readFileSync(join(folder, file), 'utf8')
  return text.split('\n').flatMap((line): readonly unknown[] => (line === '' ? [] : [JSON.parse(line)]))
}

const cases = lines('cases.jsonl') as readonly Case[]
const real = lines('real.jsonl') as readonly Published[]
const cards = lines('agents.jsonl') as readonly PublishedCard[]
const instructions = lines('agents-md.jsonl') as readonly { readonly path: string }[]

const place = { cwd: folder, home: '/nonexistent' }

describe.runIf(present)('the cases of the Agent Skills specification', () => {
  test.each(cases)('$id: $why', ({ path, strict, lenient }) => {
    const [found, ...others] = skillsAt(join(folder, path), place)
    expect(others).toEqual([])
    const errors = found?.diagnostics.filter(({ severity }) => severity === 'error') ?? []
    const isReady = found?.state === 'ready'
    const verdict = errors.length === 0 ? 'valid' : 'invalid'
    expect([verdict, 'either']).toContain(strict)
    const loads = strict === 'valid' || (lenient?.startsWith('load') === true && !lenient.includes('reject'))
    expect(isReady).toBe(loads || isReady)
    expect(isReady || /\/skill\.md$/i.test(errors[0]?.file ?? '')).toBe(true)
  })

  test('values stay texts', () => {
    const [found] = skillsAt(join(folder, 'cases/39/true'), place)
    expect(found?.skill?.name).toBe('true')
  })

  test('a bad one hides no other one', () => {
    const root = mkdtempSync(join(tmpdir(), 'troupe-skills-'))
    mkdirSync(join(root, '.claude'))
    mkdirSync(join(root, '.git'))
    mkdirSync(join(root, '.claude/skills'))
    for (const { path } of cases) {
      const name = path.slice(path.indexOf('/', 6) + 1)
      const link = join(root, '.claude/skills', name === 'my-skill' ? path.replaceAll('/', '-') : name)
      symlinkSync(join(folder, path), link)
    }
    const all = findSkills({ cwd: root, home: '/nonexistent' })
    // They lie outside of this project: each is named with that reason.
    expect(all.map(({ state }) => state)).toEqual(all.map(() => 'refused'))
    const own = findSkills({ cwd: '/nonexistent', home: root })
    expect(readySkills(own).length).toBeGreaterThan(5)
    expect(own.filter(({ state }) => state === 'refused').length).toBeGreaterThan(3)
  })
})

describe.runIf(present)('published skills', () => {
  test.each(real)('$name', ({ path, name, descriptionLength, descriptionHead }) => {
    const [found] = skillsAt(join(folder, path), place)
    expect(found?.diagnostics).toEqual([])
    expect(found?.skill?.name).toBe(name)
    expect(found?.skill?.description).toHaveLength(descriptionLength)
    expect(found?.skill?.description.startsWith(descriptionHead)).toBe(true)
  })
})

test.runIf(present).each(cards)('$name is read as a card', (published) => {
  const source = readSource(published.file, join(folder, published.file))
  if (!isSource(source)) throw new Error(source.message)
  const { card, diagnostics } = readSubagentCard(source)
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  expect(diagnostics).toHaveLength(published.yaml === 'valid' ? 0 : 1)
  expect(card.tools).toEqual(published.tools ?? card.tools)
  // A folded text ends with a line end, which says nothing.
  const { descriptionLength: length = card.description?.length ?? 0 } = published
  expect([length, length - 1]).toContain(card.description?.length)
  expect(Math.abs((card.prompt?.length ?? 0) - published.promptChars)).toBeLessThan(4)
})

test.runIf(present)('every file of published trees of instructions is read, or named with its reason', () => {
  const files = instructions.filter(({ path }) => !path.endsWith('GEMINI.md'))
  const lost = files.filter(({ path }) => {
    const [, tree = ''] = path.split('/')
    const file = join(folder, path)
    const { text, warnings } = readInstructions({
      folders: foldersBetween(join(folder, 'agents-md', tree), dirname(file)),
      home: '/nonexistent',
    })
    const content = readFileSync(file, 'utf8').trim()
    const target = /^[\w./-]+\.md$/.test(content) ? join(dirname(file), content) : file
    const beginning = readFileSync(target, 'utf8').trim().slice(0, 80)
    return !text.includes(beginning) && !warnings.some((warning) => warning.includes(path))
  })
  expect(files.length).toBeGreaterThan(0)
  expect(lost).toEqual([])
})

function foldersBetween(root: string, inner: string): readonly string[] {
  return inner === root || !inner.startsWith(root) ? [root] : [...foldersBetween(root, dirname(inner)), inner]
}
