import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cliReference } from './cli-reference.ts'

/**
 * `npm run docs`: writes docs/cli.md from the program that parses command lines.
 * `--check` writes nothing and exits 1 when the page is stale.
 */
const page = 'docs/cli.md'
const fresh = cliReference()

if (!process.argv.includes('--check')) {
  writeFileSync(page, fresh)
} else if (!existsSync(page) || readFileSync(page, 'utf8') !== fresh) {
  console.error(`${page} is stale: run "npm run docs"`)
  process.exitCode = 1
}
