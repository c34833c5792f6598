import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { walkedFiles, type WalkedFile } from './walked-files.ts'
import { walks } from './walks.ts'

/*
 * How many source files a reader meets on four ways through Troupe:
 *
 *   call      from the start of a run, with its task, until a worker's tool call has ended
 *   approval  from a call that asks, over `troupe permissions answer`, until the call goes on
 *   mail      from a call of SendMessage until the request to the recipient's model leaves the process
 *   delta     from a token on the wire of a model until a terminal shows it in `troupe attach`
 *
 *   npm run bench:walks                    how many files each walk has
 *   npm run bench:walks -- --files         which, with the lines and names of the functions that ran
 *   npm run bench:walks -- --json          all of it as JSON
 *   npm run bench:walks -- --root DIR      the walks of the Troupe in another directory
 *   npm run bench:walks -- --vs DIR        both, side by side
 *
 * A file of `src/` or `machines/` counts when a function in it was called between the beginning of a walk and its end,
 * in any process that takes part. That a file was imported does not count, nor what ran before. What ran at the same
 * time for another reason does: each fact that is journaled is folded by all who listen, and shown as progress. Of the
 * process that answers an approval all counts but what it also does when its options do not go together: imports.
 *
 * Beginnings and ends are things that stay from version to version, so that one script compares them: lines in journals,
 * a request over HTTP, words on a screen. A directory to compare with is a checkout that has its `node_modules`:
 * `git worktree add ../before <commit>`, then `npm ci` there. Models are scripted, or a server on loopback; workers are in
 * the process of the run. Every run has a home of its own, which goes with it.
 *
 * A run puts off some of its start, such as to look at its settings once more. The first answer of a model is held back
 * until the run rests, which /proc says (Linux), so that nothing of that falls into a walk. In `call` that
 * answer is the lead's, and what is done between asking for it and having it is not counted.
 */
const { values } = parseArgs({
  options: {
    root: { type: 'string', default: resolve(import.meta.dirname, '../..') },
    vs: { type: 'string' },
    files: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})

interface Measured {
  readonly walk: string
  readonly what: string
  readonly files: readonly WalkedFile[]
}

async function measure(root: string): Promise<readonly Measured[]> {
  for (const needed of ['src/ui/cli/bin.ts', 'node_modules']) {
    if (!existsSync(join(root, needed))) throw new Error(`${root} has no ${needed}`)
  }
  const measured: Measured[] = []
  // One after the other: what else the machine does delays them less.
  for (const { name, what, go } of walks) {
    measured.push({ walk: name, what, files: walkedFiles(root, await go(root)) })
  }
  return measured
}

function printCounts(here: readonly Measured[], there: readonly Measured[] | null): void {
  const row = (cells: readonly string[]): string =>
    cells.map((cell, n) => (n === 0 ? cell.padEnd(52) : cell.padStart(7))).join('')
  console.log(row(['walk', 'files', ...(there ? ['vs', 'ratio'] : [])]))
  for (const [n, { walk, what, files }] of here.entries()) {
    const other = there?.[n]?.files.length
    const beside = other === undefined ? [] : [String(other), (files.length / other).toFixed(2)]
    console.log(row([`${walk.padEnd(10)}${what}`, String(files.length), ...beside]))
  }
}

function printFiles(root: string, measured: readonly Measured[]): void {
  for (const { walk, files } of measured) {
    console.log(`\n${walk} in ${root}: ${files.length} files; lines of the functions that ran, and their names`)
    for (const { file, lines, functions } of files) {
      console.log(`${String(lines).padStart(5)}  ${file}  ${functions.join(' ')}`)
    }
  }
}

const roots = [values.root, ...(values.vs === undefined ? [] : [values.vs])].map((dir) => resolve(dir))
const all: { readonly root: string; readonly walks: readonly Measured[] }[] = []
for (const root of roots) all.push({ root, walks: await measure(root) })
if (values.json) console.log(JSON.stringify(all, null, 2))
else {
  printCounts(all[0]?.walks ?? [], all[1]?.walks ?? null)
  if (values.files) for (const { root, walks: measured } of all) printFiles(root, measured)
}
