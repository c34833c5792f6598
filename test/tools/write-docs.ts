import { readFileSync, writeFileSync } from 'node:fs'
import { teamFileReference } from './team-file-reference.ts'

/**
 * `npm run docs`: writes docs/team-file.md from the schema that validates team files.
 * `--check` writes nothing and exits 1 when the page is stale.
 */
const page = 'docs/team-file.md'
const fresh = teamFileReference()

if (!process.argv.includes('--check')) {
  writeFileSync(page, fresh)
} else if (read(page) !== fresh) {
  console.error(`${page} is stale: run "npm run docs"`)
  process.exitCode = 1
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
