import { expect, test } from 'vitest'
import { analyse } from '../../../../src/rules/permissions/analyse.ts'
import { followPaths } from '../../../../src/rules/permissions/followed-paths.ts'
import { decide } from '../../../../src/rules/permissions/cascade.ts'
import type { Disk, DiskEntry } from '../../../../src/rules/disk/disk.ts'

const folders: Readonly<Record<string, readonly DiskEntry[]>> = {
  '/repo': [
    { name: '.env', kind: 'file' },
    { name: 'a.txt', kind: 'file' },
    { name: 'docs', kind: 'directory' },
    { name: 'secrets', kind: 'directory' },
    { name: 'src', kind: 'directory' },
  ],
  '/repo/docs': [{ name: 'a.md', kind: 'file' }],
  '/repo/secrets': [{ name: 'key', kind: 'file' }],
  '/repo/src': [{ name: 'app.ts', kind: 'file' }],
}
const disk: Disk = Object.assign((path: string) => path, { entries: (path: string) => folders[path] ?? null })

function judge(command: string) {
  const action = followPaths(analyse({ tool: 'Bash', input: { command }, cwd: '/repo', home: '/home/ann' }), disk)
  const deny = ['Read(.env)', 'Read(./secrets/**)', 'Edit(./src/**)', 'Bash(forbidden:*)', 'Bash(rm:*)']
  const bounds = { protected: [], scope: [], blockedHosts: [] }
  const rules = { project: { allow: ['Bash'], deny } }
  return decide(action, { mode: 'default', rules, bounds, directories: ['/repo'] }).behavior
}

test.for([
  // A pattern that a shell would take.
  "perl -e 'print `cat .e*`'",
  `python3 -c 'import os; os.system("cat .e*")'`,
  `python3 -c 'import glob; print(glob.glob(".e*"))'`,
  `node -p 'child_process.execSync("cat s*/k*")+""'`,
  "gdb -batch -ex 'shell touch s*/app.ts'",
  "sqlite3 :memory: '.shell cat .e*'",
  "ed -s <<< '!cat .e*'",
  "groff -U <<< '.pso cat .*'",
  "groff -U <<< $'.ds x forbid\\n.sy \\\\*[x]den'",
  "groff -U <<< $'.ds x forbid\\n.as x den\\n.sy \\\\*x y'",
  "groff -U <<< $'.ds xy .e\\n.pso cat \\\\*(xynv'",
  // A name in parts.
  `perl -e 'system "for"."bidden"'`,
  `perl -e 'qx/forbidden/'`,
  `perl -e 'qx#forbidden#'`,
  `vim -es -c 'exe "!forbid"."den"' -c 'qa!'`,
  `ed '!forbid""den' <<< q`,
  `env 'BASH_FUNC_q%%=() { for""bidden; }' bash -c q`,
  `env 'BASH_FUNC_ls%%=() { cat .env; }' bash -c ls`,
  `sqlite3 :memory: "vacuum into 's'||'rc/x'"`,
  `sqlite3 :memory: 'select readfile(".e"||"nv")'`,
  `python3 -c 'open(".e" "nv")'`,
  `python3 -c 'print(open("." + "env").read())'`,
  `node -e 'require("fs").readFileSync("."+"env")'`,
  `sqlite3 :memory: "select readfile('.'||'env')"`,
  `python3 <<'E'\nimport os\nos.system("for" + \\\n"bidden")\nE`,
  `python3 -c 'import os; os.system("for"+("bidden"))'`,
  `python3 <<'E'\n${'v = 1\n'.repeat(130)}print(open(".env").read())\nE`,
  `python3 <<'E'\n${'v = 1\n'.repeat(220)}import os; os.system("forbidden")\nE`,
  "make --eval='$(file >s$(x)rc/x,y)'",
  "groff -U <<< $'.pso r\\\\m a.txt'",
  'node --import "data:text/javascript;base64,aW1w" -e 1',
  // A file, or a directory, that is meant without its name.
  "node -e 'process.loadEnvFile(); console.log(process.env.KEY)'",
  "perl -MFile::Path -e 'rmtree src'",
  'perl -MFile::Find -e \'find(sub{open F,$_; print <F>},".")\'',
  'python3 -m http.server 8731',
  'python3 -m tarfile -c z.tar .',
])('%s is not allowed where what it comes to is denied', (line) => {
  expect(judge(line)).not.toBe('allow')
})

test.for([
  "python3 -c 'print(1)'",
  "python3 -c 'print(2 * 3, [x[0] for x in ([1],)])'",
  'python3 -m tarfile -c z.tar docs',
  `python3 -c 'import re; print(re.sub(r"[a-z]*-.*", "", "x"))'`,
  `node -e 'console.log("a" + "b")'`,
  "perl -ne 'print if /^a.*b$/' a.txt",
  "perl -pe 's/a+/b/' a.txt",
  "awk '{print $1 * $2}' a.txt",
  "awk '/.*/ { n += $1 } END { print n }' a.txt",
  `node -e 'require("fs").readdirSync("docs")'`,
  'make test',
])('%s is allowed', (line) => {
  expect(judge(line)).toBe('allow')
})
