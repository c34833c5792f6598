import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { resolveReal } from '../../../src/adapters/fs/resolve-real.ts'
import { analyse } from '../../../src/rules/permissions/analyse.ts'
import { followPaths } from '../../../src/rules/permissions/followed-paths.ts'
import { grantRules } from '../../../src/rules/permissions/grant-rules.ts'
import { explainCall, policyAt } from '../../../src/runtime/permissions/permission-report.ts'
import { questionText } from '../../../src/ui/cli/text/question-text.ts'
import { tempDir } from '../support/stage.ts'

/** A project with a script, and what a yes for good to a command would save. */
function project() {
  const cwd = tempDir()
  const place = { cwd, home: join(cwd, 'home'), policyRoot: '/nowhere' }
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(cwd, file)), { recursive: true })
    writeFileSync(join(cwd, file), text)
  }
  write('build.sh', 'echo built')
  const save = async (command: string): Promise<readonly string[]> => {
    const { policy } = await policyAt(place)
    return grantRules(followPaths(analyse({ tool: 'Bash', input: { command }, ...place }), resolveReal), policy).save
  }
  const allow = (...rules: readonly string[]): void =>
    write('home/.troupe/settings.json', JSON.stringify({ permissions: { allow: rules } }))
  const judged = async (command: string) => (await explainCall(`Bash(${command})`, place)).decision.behavior
  return { place, write, save, allow, judged }
}

test.for(['./build.sh', 'bash build.sh', './build.sh --all', 'cd . && ./build.sh'])(
  'a script of the project is allowed until it changes: %s',
  async (command) => {
    const { place, write, save, allow, judged } = project()
    expect(await judged(command)).toBe('ask')
    const rules = await save(command)
    expect(rules.join()).toMatch(/build\.sh.* #sha256:[0-9a-f]{64}\)$/)
    allow(...rules)
    expect(await judged(command)).toBe('allow')
    for (const other of [`${command} --more`, `${command}; rm x`, './other.sh']) expect(await judged(other)).toBe('ask')
    write('build.sh', 'echo changed')
    expect(await judged(command)).toBe('ask')
    const { allow: lists } = await explainCall(`Bash(${command})`, place)
    const whys = lists.flatMap(({ rules: all }) => all.map(({ why }) => why))
    expect(whys).toContain('the script is another one than the one that was allowed')
    write('build.sh', 'echo built')
    expect(await judged(command)).toBe('allow')
  },
)

test('a script that is not there, or not of the project, is saved as it is written', async () => {
  const { save } = project()
  expect(await save('./none.sh')).toEqual(['Bash(./none.sh)'])
  expect((await save('/bin/true')).join()).not.toContain('sha256')
})

test('a rule that forbids forbids the script whatever it says', async () => {
  const { write, judged } = project()
  const deny = [`Bash(./build.sh #sha256:${'0'.repeat(64)})`]
  write('home/.troupe/settings.json', JSON.stringify({ permissions: { deny } }))
  expect(await judged('./build.sh')).toBe('deny')
})

test('the question says it in words', async () => {
  const text = await questionText(
    {
      member: 'ana',
      call: { tool: 'Bash', input: { command: './build.sh' } },
      decision: { behavior: 'ask', source: 'mode', reason: 'so' },
      near: [],
      grants: { session: [], save: [`Bash(./build.sh #sha256:${'a'.repeat(64)})`] },
    },
    '/w',
    (_, said) => said,
  )
  expect(text).toContain('always allows Bash(./build.sh) until it changes: saved')
})
