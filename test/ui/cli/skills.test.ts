import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { main } from '../../../src/ui/cli/main.ts'
import { fakeHost } from './fake-host.ts'
import { emptyDirectory } from './process/troupe.ts'

const skill = (name: string, head = '', body = 'Go on with $0.'): string =>
  `---\nname: ${name}\ndescription: Serves ${name}.\n${head}---\n${body}\n`

function desk(files: Readonly<Record<string, string>>, mine: Readonly<Record<string, string>> = {}) {
  const [cwd, home] = [emptyDirectory(), emptyDirectory()]
  for (const [root, written] of [
    [cwd, files],
    [home, mine],
  ] as const)
    for (const [name, text] of Object.entries(written)) {
      mkdirSync(dirname(join(root, name)), { recursive: true })
      writeFileSync(join(root, name), text)
    }
  return async (...args: readonly string[]) => {
    const host = fakeHost({ cwd, home, policyRoot: join(home, 'policy') })
    const code = await main(args, host)
    return { code, out: host.stdout.text, err: host.stderr.text }
  }
}

test('the list says where each skill lies, which one counts, and why one cannot be used', async () => {
  const troupe = desk(
    {
      '.troupe/skills/deploy/SKILL.md': skill('deploy', 'allowed-tools: Bash(make)\n'),
      '.claude/skills/deploy/SKILL.md': skill('deploy'),
      '.claude/skills/broken/SKILL.md': 'Nothing.',
    },
    { '.agents/skills/mine/SKILL.md': skill('mine', 'allowed-tools: Bash(ls)\n') },
  )
  const { code, out } = await troupe('skills', 'ls')
  expect(code).toBe(0)
  expect(out).toMatch(/^deploy +ready +project +\.troupe\/skills\/deploy +Serves deploy\.$/m)
  expect(out).toMatch(/^deploy +shadowed +project +\.claude\/skills\/deploy/m)
  expect(out).toMatch(/^mine +ready +user +~\/\.agents\/skills\/mine/m)
  expect(out).toContain('.claude/skills/broken/SKILL.md:1:1 error no_frontmatter')
  expect(out).toContain('  deploy: Bash(make)')
  const { skills } = JSON.parse((await troupe('skills', 'ls', '--json')).out) as { skills: { state: string }[] }
  expect(skills.map(({ state }) => state)).toEqual(['ready', 'refused', 'shadowed', 'ready'])
  const trusting = await troupe('trust')
  expect(trusting.out + trusting.err).toContain('skill deploy allows Bash(make)')
  expect((await troupe('skills', 'ls')).out).not.toContain('  deploy: Bash(make)')
})

test('a check names every breach, and is failed by one that loads all the same', async () => {
  const troupe = desk({
    '.agents/skills/one/SKILL.md': skill('other'),
    '.agents/skills/two/SKILL.md': skill('two'),
    'elsewhere/three/SKILL.md': skill('three', 'colour: red\n'),
  })
  const all = await troupe('skills', 'check')
  expect(all.code).toBe(2)
  expect(all.out).toContain('.agents/skills/one/SKILL.md:2:7 error name_mismatch')
  expect(all.out).toContain('2 checked: 1 breaks the specification, 0 of them cannot be used')
  expect((await troupe('skills', 'check', '.agents/skills/two')).code).toBe(0)
  const named = await troupe('skills', 'check', 'elsewhere', '--json')
  expect(JSON.parse(named.out)).toMatchObject({
    ok: false,
    skills: [{ name: 'three', loads: true, diagnostics: [{ code: 'unknown_key', line: 4 }] }],
  })
  expect((await troupe('skills', 'check', 'nowhere')).code).toBe(2)
})

test('a skill is shown as a model reads it, and runs nothing', async () => {
  const troupe = desk({ '.claude/skills/fix/SKILL.md': skill('fix', '', 'Fix $0. !`touch made`') })
  const { code, out } = await troupe('skills', 'show', 'fix', 'it all')
  expect(code).toBe(0)
  expect(out).toContain('Fix it all. !`touch made`')
  expect(out).toContain('It runs when it is opened: touch made')
  const wrong = await troupe('skills', 'show', 'fxi')
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('did you mean "fix"?') as string })
})
