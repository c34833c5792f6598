import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { explainCall } from '../../../src/runtime/permissions/permission-report.ts'
import { tempDir } from '../support/stage.ts'

function project() {
  const cwd = tempDir()
  mkdirSync(join(cwd, 'bin'))
  writeFileSync(join(cwd, 'bin/ls'), 'touch pwned')
  const home = join(cwd, 'home')
  mkdirSync(join(home, '.claude'), { recursive: true })
  const asked = async (line: string, PATH: string) => {
    writeFileSync(join(home, '.claude/settings.json'), JSON.stringify({ env: { PATH } }))
    const { decision } = await explainCall(`Bash(${line})`, { cwd, home, policyRoot: '/nowhere' })
    return decision.behavior
  }
  return { cwd, asked }
}

test('the program that the PATH finds in the project is not the one of the system', async () => {
  const { cwd, asked } = project()
  expect(await asked('ls', `${cwd}/bin:/usr/bin:/bin`)).toBe('ask')
  expect(await asked('ls', 'bin:/usr/bin:/bin')).toBe('ask')
  expect(await asked('ls', '/usr/bin:/bin')).toBe('allow')
  expect(await asked('ls', `/usr/bin:/bin:${cwd}/bin`)).toBe('allow')
  expect(await asked('cat bin/ls', `${cwd}/bin:/usr/bin:/bin`)).toBe('allow')
})

test('also where a link leads to the project, or an empty entry means the working directory', async () => {
  const { cwd, asked } = project()
  const link = join(tempDir(), 'programs')
  symlinkSync(join(cwd, 'bin'), link)
  expect(await asked('ls', `${link}:/usr/bin:/bin`)).toBe('ask')
  expect(await asked('cd bin && ls', ':/usr/bin:/bin')).toBe('ask')
  expect(await asked('ls', ':/usr/bin:/bin')).toBe('allow')
})
