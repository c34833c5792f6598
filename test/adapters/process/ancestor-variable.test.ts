import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const module = new URL('../../../src/adapters/process/ancestor-variable.ts', import.meta.url).href
const ask = `import(${JSON.stringify(module)}).then(({ ancestorVariable }) => console.log(ancestorVariable('MARK') ?? 'none'))`

/** A shell with this environment starts another one, which begins a program by this line. */
function toldIn(line: string, env: Readonly<Record<string, string>>): string {
  const own = { PATH: process.env['PATH'] ?? '', NODE: process.execPath, ASK: ask }
  return execFileSync('sh', ['-c', `sh -c '${line}; exit $?'; exit $?`], {
    env: { ...own, ...env },
    encoding: 'utf8',
  }).trim()
}

test.runIf(process.platform === 'linux')('a variable that a shell took away is found in the shells around it', () => {
  const told = (mark: Readonly<Record<string, string>>) => [
    toldIn('env -u MARK "$NODE" -e "$ASK"', mark),
    toldIn('unset MARK; env -i "$NODE" -e "$ASK"', mark),
  ]
  expect(told({ MARK: '2/5' })).toEqual(['2/5', '2/5'])
  expect(told({ MARKED: '2/5' })).toEqual(['none', 'none'])
})
