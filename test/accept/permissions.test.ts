import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ruleListsSchema } from '../../src/protocol/permissions/permission-schema.ts'
import { permissionModes } from '../../src/protocol/permissions/permission.ts'
import { decide } from './permissions-adapter.ts'

/** Cases the project did not write; they live beside it and are skipped where they are absent. */
const folder = resolve(import.meta.dirname, '../../../shared/accept/permissions')
const present = existsSync(folder)
if (!present) console.warn(`skipped: the permission cases are not at ${folder}`)

const caseSchema = z.object({
  id: z.string(),
  mode: z.enum(permissionModes),
  rules: ruleListsSchema,
  tool: z.string(),
  input: z.record(z.string(), z.unknown()),
  accept: z.array(z.string()),
  tags: z.array(z.string()),
})

/** Where the published readings differ, a case binds nobody. */
const open = /interpretation|optional|claude-specific|strict|built-in read-only set|gitignore corner/

describe.skipIf(!present)('permission decisions', () => {
  let base = ''

  beforeAll(() => {
    base = mkdtempSync(join(tmpdir(), 'troupe-permissions-'))
    execFileSync('bash', [join(folder, 'make-fixture.sh'), base], { stdio: 'ignore' })
  })
  afterAll(() => rmSync(base, { recursive: true, force: true }))

  test('every binding case is decided as accepted', () => {
    const cwd = join(base, 'proj')
    const home = join(base, 'home')
    const placed = (text: string) =>
      text.replaceAll('$CWD', cwd).replaceAll('$HOME/', `${home}/`).replaceAll('/tmp/permfix/', `${base}/`)
    const lines = readFileSync(join(folder, 'cases.open.jsonl'), 'utf8').trim().split('\n')
    const cases = lines
      .map((line) => caseSchema.parse(JSON.parse(line)))
      .filter(({ tags }) => !tags.some((tag) => open.test(tag)))
    const missed = cases.flatMap(({ id, mode, rules, tool, input, accept }) => {
      const given =
        tool === 'Bash' ? input : z.record(z.string(), z.unknown()).parse(JSON.parse(placed(JSON.stringify(input))))
      const lists = ruleListsSchema.parse(JSON.parse(placed(JSON.stringify(rules))))
      const behavior = decide({ mode, rules: lists, tool, input: given, cwd, home })
      return accept.includes(behavior) ? [] : [`${id}: ${behavior}, accepted ${accept.join(' or ')}`]
    })
    expect(cases.length).toBeGreaterThan(250)
    expect(missed).toEqual([])
  })
})
