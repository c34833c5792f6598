import { readFileSync, writeFileSync } from 'node:fs'
import { withKeys } from './key-table.ts'
import { settingsReference } from './settings-reference.ts'
import { teamTestReference } from './team-test-reference.ts'
import { teamFileReference } from './team-file-reference.ts'

/**
 * `npm run docs`: writes docs/team-file.md, docs/settings.md and docs/test-file.md from the schemas that validate those files, and the keys of the screen
 * into its page.
 * `--check` writes nothing and exits 1 when a page is stale.
 */
const attach = 'docs/how-to/attach.md'
const pages = {
  'docs/team-file.md': teamFileReference(),
  'docs/settings.md': settingsReference(),
  'docs/test-file.md': teamTestReference(),
  [attach]: withKeys(read(attach)),
}

for (const [page, fresh] of Object.entries(pages)) {
  if (!process.argv.includes('--check')) {
    writeFileSync(page, fresh)
  } else if (read(page) !== fresh) {
    console.error(`${page} is stale: run "npm run docs"`)
    process.exitCode = 1
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
