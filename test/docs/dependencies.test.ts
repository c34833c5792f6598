import { existsSync, globSync, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const page = readFileSync('docs/dependencies.md', 'utf8')
const rows = [...page.matchAll(/^\| `(?<name>[^`]+)` +\| (?<why>.+?) +\|$/gm)].map(({ groups }) => ({
  name: groups?.['name'] ?? '',
  why: groups?.['why'] ?? '',
}))

test('every runtime package has its reason, and no other one has', () => {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
    'dependencies' | 'optionalDependencies',
    Record<string, string>
  >
  const names = [...Object.keys(dependencies), ...Object.keys(optionalDependencies)]
  expect(rows.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
  const optional = rows.filter(({ why }) => why.startsWith('Optional: ')).map(({ name }) => name)
  expect(optional.toSorted()).toEqual(Object.keys(optionalDependencies).toSorted())
})

test('what is installed for production keeps the limit that the page names', () => {
  const limit = Number(/the limit is (\d+) MB/.exec(page)?.[1])
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>
  }
  const folders = Object.entries(packages).flatMap(([folder, { dev, devOptional }]) =>
    folder !== '' && !dev && !devOptional && existsSync(folder) ? [folder] : [],
  )
  expect(folders.length).toBeGreaterThan(40)
  const blocks = folders.flatMap((folder) =>
    globSync('**', { cwd: folder, exclude: (name) => name === 'node_modules' }).map(
      (file) => lstatSync(join(folder, file)).blocks,
    ),
  )
  const megabytes = (blocks.reduce((sum, each) => sum + each, 0) * 512) / 1024 ** 2
  expect(megabytes).toBeGreaterThan(limit / 2)
  expect(megabytes).toBeLessThanOrEqual(limit)
})
