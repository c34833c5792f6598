import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { readInstructions } from '../../../src/adapters/instructions/read-instructions.ts'
import { furtherCases } from '../../accept/further-cases.ts'

function project(files: Readonly<Record<string, string | Uint8Array>>): string {
  const root = mkdtempSync(join(tmpdir(), 'troupe-instructions-'))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }
  return root
}

const nobody = '/nonexistent'

test('the nearest folder speaks first and the home last; nothing is found in bare places', () => {
  const root = project({ 'AGENTS.md': 'Top.', 'api/CLAUDE.md': 'Near.', 'api/.claude/rules/a.md': 'Rule.' })
  const home = project({ '.claude/CLAUDE.md': 'Mine.' })
  const { text, warnings } = readInstructions({ folders: [root, join(root, 'api')], home })
  expect(text.match(/Near|Rule|Top|Mine/g)).toEqual(['Near', 'Rule', 'Top', 'Mine'])
  expect(warnings).toEqual([])
  expect(readInstructions({ folders: [project({})], home: nobody }).text).toBe('')
})

test('a link to the same file counts once, and one that leads out is refused', () => {
  const root = project({ 'AGENTS.md': 'Once.' })
  symlinkSync('AGENTS.md', join(root, 'CLAUDE.md'))
  symlinkSync('/etc/hostname', join(root, 'CLAUDE.local.md'))
  const { text, warnings } = readInstructions({ folders: [root], home: nobody })
  expect(text.match(/Once/g)).toHaveLength(1)
  expect(warnings.join()).toContain('CLAUDE.local.md is left out: it lies outside of its project')
})

test('includes end in circles, at depth and outside; code names nothing', () => {
  const chain = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`d${n}.md`, `deep ${n} @d${n + 1}.md`]))
  const root = project({
    ...chain,
    'AGENTS.md': 'See @a.md and @d0.md, mail ann@example.com, not `@b.md`\n```\n@b.md\n```\n@../out.md @/etc/hostname',
    'a.md': 'Aye. @AGENTS.md',
    'b.md': 'Bee.',
  })
  writeFileSync(join(dirname(root), 'out.md'), 'Out.')
  const { text, warnings } = readInstructions({ folders: [root], home: nobody })
  expect(text.match(/Aye/g)).toHaveLength(1)
  expect(text).not.toMatch(/Bee|Out\./)
  expect(text).toContain('deep 4')
  expect(text).not.toContain('deep 5 ')
  expect(warnings.join('\n')).toMatch(/out\.md is left out: it lies outside[\s\S]*|6 files deep/)
})

test('what cannot be read is named and hides nothing; what is too long is cut', () => {
  const root = project({
    'AGENTS.md': Buffer.from([0x61, 0xe9, 0x62]),
    'CLAUDE.md': `Fine. ${'x'.repeat(50_000)}`,
    'CLAUDE.local.md/x': '',
  })
  const { text, warnings } = readInstructions({ folders: [root], home: nobody })
  expect(text).toContain('Fine.')
  expect(warnings.join('\n')).toMatch(/AGENTS\.md is left out: it is not UTF-8/)
  expect(warnings.join('\n')).toMatch(/CLAUDE\.md is cut: 40000 of its 50006/)
  expect(warnings.join('\n')).toMatch(/CLAUDE\.local\.md is left out/)
})

const { folder: cases, present } = furtherCases('skills')
test.skipIf(!present)('real trees are read whole, each file once', () => {
  const rows = readFileSync(join(cases, 'agents-md.jsonl'), 'utf8').trim().split('\n')
  for (const row of rows) {
    const { path, symlink } = JSON.parse(row) as { path: string; symlink: string | null }
    if (symlink !== null || !/\/(AGENTS|CLAUDE)\.md$/.test(path)) continue
    const file = join(cases, path)
    const { text, warnings } = readInstructions({ folders: [dirname(file)], home: nobody })
    expect(warnings).toEqual([])
    expect(text.split(readFileSync(file, 'utf8').trim())).toHaveLength(2)
  }
})
