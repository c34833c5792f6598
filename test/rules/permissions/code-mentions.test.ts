import { expect, test } from 'vitest'
import { analyse } from '../../../src/rules/permissions/analyse.ts'
import { followPaths } from '../../../src/rules/permissions/followed-paths.ts'
import { decide } from '../../../src/rules/permissions/cascade.ts'
import type { Disk } from '../../../src/rules/disk/disk.ts'

const files: Readonly<Record<string, string>> = {
  '/repo/list.txt': '.env\n',
  '/repo/out.txt': '-o src/x\n',
  '/repo/q.c': '#include ".env"\n',
  '/repo/z.gdb': 'shell forbidden x\n',
  '/repo/index.js': 'require("child_process").execSync("forbidden")\n',
  '/repo/tool.py': 'import os; os.system("for" "bidden")\n',
  '/repo/sub/Makefile': 'all:\n\tforbidden\n',
  '/repo/sub/q.c': '#include "../.env"\n',
  '/repo/build.ninja': 'rule r\n command = forbidden\n',
  '/repo/plain.py': 'print(open("src/app.ts").read())\n',
  '/repo/a.txt': 'a\n',
  '/repo/.env': 'KEY=1\n',
  '/repo/src/app.ts': 'app\n',
}
const entries = (directory: string) => {
  const inside = Object.keys(files).filter((path) => path.startsWith(`${directory}/`))
  const names = new Set(inside.map((path) => path.slice(directory.length + 1)))
  return [...names].filter((name) => !name.includes('/')).map((name) => ({ name, kind: 'file' as const }))
}
const disk: Disk = Object.assign((path: string) => path, { entries, text: (path: string) => files[path] ?? null })

function judge(command: string, allow = 'Bash') {
  const action = followPaths(analyse({ tool: 'Bash', input: { command }, cwd: '/repo', home: '/home/ann' }), disk)
  const rules = { project: { allow: [allow], deny: ['Read(.env)', 'Edit(./src/**)', 'Bash(forbidden:*)'] } }
  const bounds = { protected: [], scope: [], blockedHosts: [] }
  return decide(action, { mode: 'default', rules, bounds, directories: ['/repo'] }).behavior
}

test.for([
  'strings @list.txt',
  'ar rc z.a @list.txt',
  'gcc -E main.c @out.txt',
  'cmake -E tar cf z.tar --files-from=list.txt',
  'gcc -E q.c',
  'gdb -batch -x z.gdb',
  'node .',
  'node index.js',
  'python3 -m tool',
  'ninja',
  'make -C sub',
  'gdb -batch --command=z.gdb',
  'cd sub && gcc -E q.c',
  "vim -es list.txt -c 'norm gf' -c '%p' -c 'qa!'",
  "echo '.sy forbidden' > z.1; groff -U z.1",
  "echo 'execute_process(COMMAND forbidden)' > z.cmake; cmake -P z.cmake",
  `echo 'import os;os.system("forbidden")' > x.py; python3 -c 'import x'`,
  'echo .env | tee l; strings @l',
])('%s is not allowed: a file names what is denied', (line) => {
  expect(judge(line)).not.toBe('allow')
})

test.for([
  'python3 plain.py',
  'strings a.txt',
  'cat list.txt',
  'grep forbidden index.js',
  'make test',
  'echo forbidden > a.log; cat a.log',
  `git commit -m "@list.txt"`,
])('%s is allowed', (line) => {
  expect(judge(line)).toBe('allow')
})

test('a program that a rule names may take its files, but no list of others', () => {
  expect(judge('node index.js', 'Bash(node:*)')).toBe('allow')
  expect(judge('strings @list.txt', 'Bash(strings:*)')).not.toBe('allow')
})
