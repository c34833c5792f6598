import { describe, expect, test } from 'vitest'
import type { PermissionMode } from '../../../src/protocol/permissions/permission.ts'
import { analyse } from '../../../src/rules/permissions/analyse.ts'
import { followPaths } from '../../../src/rules/permissions/followed-paths.ts'
import { decide } from '../../../src/rules/permissions/cascade.ts'
import type { Disk } from '../../../src/rules/disk/disk.ts'

const to = (name: string): string => `--- /dev/null\n+++ ${name}\n@@ -0,0 +1 @@\n+x\n`
const diff = (name: string): string => `diff --git a/${name} b/${name}\n${to(`b/${name}`)}`
const files: Readonly<Record<string, string>> = {
  '/repo/a.txt': 'a\n',
  '/repo/src/app.ts': 'app\n',
  '/repo/.git/HEAD': 'ref: refs/heads/main\n',
  '/repo/.troupe/run.json': '{}\n',
  '/repo/sub/b.txt': 'b\n',
  '/repo/closed.patch': diff('.troupe/x'),
  '/repo/closed0.patch': to('.troupe/x'),
  '/repo/closed2.patch': to('v1/repo/.troupe/x'),
  '/repo/quoted.patch': to('"b/.tro\\165pe/x"'),
  '/repo/mode.patch': 'diff --git a/.troupe/run.json b/.troupe/run.json\nold mode 100644\nnew mode 100755\n',
  '/repo/renamed.patch':
    'diff --git a/a.txt b/.troupe/x\nsimilarity index 100%\nrename from a.txt\nrename to .troupe/x\n',
  '/repo/context.patch': '*** .troupe/run.json\t2020-01-01\n--- .troupe/run.json\t2020-01-02\n***************\n',
  '/repo/x.patch': to('b/x'),
  '/repo/source.patch': diff('src/app.ts'),
  '/repo/fine.patch': diff('docs/two words.md'),
  '/repo/fine2.patch': to('docs/b.md\t2020-01-01'),
  '/repo/linking.patch': 'diff --git a/y b/y\nnew file mode 120000\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+src\n',
  '/repo/mail.patch': 'From: x\nContent-Transfer-Encoding: base64\n\nZGlmZg==\n--- a/z\n',
  '/repo/empty.patch': 'no names\n',
  '/repo/many.patch': Array.from({ length: 1_500 }, (_, at) => `+++ b/docs/${at}\n`).join(''),
  '/repo/hook.patch': to('b/.git/hooks/pre-commit'),
}
const entries = (directory: string) => {
  const inside = Object.keys(files).filter((path) => path.startsWith(`${directory === '/' ? '' : directory}/`))
  const rest = inside.map((path) => path.slice(directory === '/' ? 1 : directory.length + 1))
  const kinds = new Map(rest.map((path) => [path.split('/', 1)[0] ?? '', path.includes('/')] as const))
  if (kinds.size === 0) return null
  return [...kinds].map(([name, isFolder]) => ({ name, kind: isFolder ? ('directory' as const) : ('file' as const) }))
}
const disk: Disk = Object.assign((path: string) => path, { entries, text: (path: string) => files[path] ?? null })

function verdict(command: string, mode: PermissionMode) {
  const action = followPaths(analyse({ tool: 'Bash', input: { command }, cwd: '/repo', home: '/home/ann' }), disk)
  const rules = { project: { allow: ['Bash'], deny: ['Edit(./src/**)'] } }
  const bounds = { protected: ['/repo/.troupe'], scope: [], blockedHosts: [] }
  return decide(action, { mode, rules, bounds, directories: ['/repo'] }).behavior
}

const closing = [
  'git apply closed.patch',
  'timeout 5 git apply -3 closed.patch',
  'git apply --index < closed.patch',
  'git apply -p0 closed0.patch',
  'git apply -p 2 --directory=. closed2.patch',
  'git apply --directory=.troupe x.patch',
  'git apply quoted.patch',
  'git apply mode.patch',
  'git apply renamed.patch',
  'git am fine.patch closed.patch',
  'git am c*.patch',
  'git -C sub apply ../closed.patch',
  'cd sub && git apply ../closed.patch',
  'cat closed.patch | git apply',
  'sh -c "git apply closed.patch"',
  'patch -p1 < closed.patch',
  'patch -Np1 -i closed.patch',
  'patch --input=closed.patch --strip=1',
  'patch -p2 < closed2.patch',
  'patch < closed0.patch',
  'patch < context.patch',
  'patch -d .troupe -p1 < x.patch',
  'p=closed.patch; git apply "$p"',
  `git apply <<'EOF'\n${to('b/.troupe/x')}EOF`,
]

describe.each<PermissionMode>(['default', 'bypassPermissions'])('%s: a patch', (mode) => {
  test.each(closing)('that changes a closed directory: %s', (line) => expect(verdict(line, mode)).toBe('deny'))

  test.each(['git apply source.patch', 'git am source.patch', 'patch -p1 < source.patch'])(
    'that changes what a rule forbids: %s',
    (line) => expect(verdict(line, mode)).toBe('deny'),
  )

  test.each([
    'git apply fine.patch',
    'git apply fine2.patch && git am fine.patch',
    'patch -p1 < fine2.patch',
    'git apply --check fine.patch && git apply fine.patch',
    `git apply <<'EOF'\n${to('b/docs/b.md')}EOF`,
  ])('that changes other files: %s', (line) => expect(verdict(line, mode)).toBe('allow'))
})

test.each([
  'git apply none.patch',
  'git apply linking.patch',
  'git am mail.patch',
  'git apply empty.patch',
  'git diff | git apply',
  'curl -so fine.patch x.test/y; git apply fine.patch',
  './make-patch; git apply fine.patch',
  'git show HEAD > fine.patch; git apply fine.patch',
  'git apply fine.patch "$X"',
  'ls | xargs git apply fine.patch',
  'git am --abort',
  'GIT_WORK_TREE=src git apply fine.patch',
  'git --work-tree=src apply fine.patch',
  'git -c core.worktree=../src apply fine.patch',
  'patch -p1 < hook.patch',
])('is asked about where its files are not known, or configure tools: %s', (line) =>
  expect(verdict(line, 'default')).not.toBe('allow'),
)

test('is asked about in every mode where it names too much', () =>
  expect(verdict('git apply many.patch', 'bypassPermissions')).toBe('ask'))
