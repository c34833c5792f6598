import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** Judges two calls in a process of its own and prints, after each, how many files of the grammar were loaded. */
const script = `
  import { registerHooks } from 'node:module'
  let loaded = 0
  registerHooks({ load(url, context, next) { if (url.includes('/unbash/')) loaded += 1; return next(url, context) } })
  const { analyse } = await import('./src/rules/permissions/analyse.ts')
  const at = { cwd: '/repo', home: '/home/ann' }
  analyse({ tool: 'Read', input: { file_path: 'a.txt' }, ...at })
  console.log(loaded)
  analyse({ tool: 'Bash', input: { command: 'git status && ls' }, ...at })
  console.log(loaded > 0)
`

test('the grammar of shells is loaded with the first shell line', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  expect({ stdout, stderr }).toEqual({ stdout: '0\ntrue\n', stderr: '' })
})
