import { describe, expect, test } from 'vitest'
import type { Policy } from '../../../src/protocol/permissions/permission.ts'
import { analyse } from '../../../src/rules/permissions/analyse.ts'
import { decide } from '../../../src/rules/permissions/cascade.ts'
import { followPaths } from '../../../src/rules/permissions/followed-paths.ts'

const held: Readonly<Record<string, readonly string[]>> = {
  '/repo': ['.troupe', 'notes.txt'],
  '/repo/.troupe': ['run'],
}
const entries = (dir: string) =>
  held[dir]?.map((name) => ({ name, kind: held[`${dir}/${name}`] ? ('directory' as const) : ('file' as const) })) ??
  null
const disk = Object.assign((path: string) => path, { entries })
const policy: Policy = {
  mode: 'bypassPermissions',
  rules: {},
  bounds: { protected: ['/repo/.troupe'], scope: [], blockedHosts: [] },
  directories: ['/repo'],
}

function judge(command: string): string {
  const action = analyse({ tool: 'Bash', input: { command }, cwd: '/repo', home: '/home/ann' })
  return decide(followPaths(action, disk), policy).behavior
}

describe('a closed directory, and words of which only a part is known', () => {
  test.each([
    'git cle$(:)an -fdx',
    'a=(clean); git $a -fdx',
    'git "${x:-clean}" -fdx',
    'set -- clean -fdx; git "$@"',
    'f() { git cle$1 -fdx; }; f an',
    'git stash push -${z:-}a',
    'a=(-a); git stash push "${a[@]}"',
    'git $(echo stash push -a)',
    'git $(cat notes.txt)',
    'git add $(cat notes.txt) .',
    'find . -name run -ex$(:)ec cat {} +',
    'find . -name run $(echo -exec cat {} +)',
    'find . -name run $(cat notes.txt)',
    'a=(-exec cat {} +); find . -name run "${a[@]}"',
    'fi${z:-nd} . -name run -exec cat {} +',
    'x=.trouZpe/x; cp notes.txt ${x/Z/}',
    'x=of=.trZoupe/x; dd if=notes.txt ${x/Z/}',
    'x=.trZoupe/keys/run; cat ${x/Z/}',
    'x=.trZoupe/keys/run; cat ${x//Z}',
    'x=.trZoupe/keys/run; cat ${x/[A-Z]/}',
    'x=.trZoupe/keys/run; cat ${x:0:3}${x:4}',
    'x=.troXpe; cat ${x/X/u}/keys/run',
    'x=.trXX; cat ${x/XX/oupe}/keys/run',
    'x=.trZoupe; cd ${x/Z/}; cat keys/run',
  ])('%s is not allowed', (line) => {
    expect(judge(line)).not.toBe('allow')
  })

  test.each([
    'git stash push -m "$(cat notes.txt)"',
    'git commit -m "$(cat notes.txt)"',
    'git push origin "$(git branch --show-current)"',
    'for f in *.ts; do mv "$f" "${f/.ts/.js}"; done',
    'for f in *.ts; do echo "${f%.ts}"; done; npm run test',
    'find . -name "$(cat notes.txt)"',
    'x=notes.txt; cat "${x/.txt/.md}"',
    'git checkout "$(cat notes.txt)"',
  ])('%s is allowed', (line) => {
    expect(judge(line)).toBe('allow')
  })
})
