import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path/posix'
import { codeLines } from './code-lines.ts'

/*
 * `npm run count`: how much code there is. Lines are lines of code, without blank ones and comments.
 * `--json` prints the same as one document, with every folder and every file.
 */
interface SizedFile {
  readonly file: string
  readonly lines: number
}

const parts = { 'src + machines': ['src', 'machines'], test: ['test'] } as const
const shownFolders = 10

function sizesIn(folders: readonly string[]): readonly SizedFile[] {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx,mts,cts,js,mjs,cjs}`))
  return files
    .map((file) => file.replaceAll('\\', '/'))
    .map((file) => ({ file, lines: codeLines(file, readFileSync(file, 'utf8')) }))
    .toSorted((a, b) => b.lines - a.lines || a.file.localeCompare(b.file))
}

/** Folders with the files that lie directly in them, the fullest first. */
function foldersOf(sizes: readonly SizedFile[]): readonly { readonly folder: string; readonly files: number }[] {
  const folders = Map.groupBy(sizes, ({ file }) => dirname(file))
  return [...folders]
    .map(([folder, { length }]) => ({ folder, files: length }))
    .toSorted((a, b) => b.files - a.files || a.folder.localeCompare(b.folder))
}

const counted = Object.entries(parts).map(([part, folders]) => {
  const sizes = sizesIn(folders)
  const lines = sizes.reduce((sum, file) => sum + file.lines, 0)
  const median = sizes[Math.floor(sizes.length / 2)]?.lines ?? 0
  return { part, lines, files: sizes.length, median, longest: sizes[0] ?? null, folders: foldersOf(sizes), sizes }
})

if (process.argv.includes('--json')) {
  console.log(JSON.stringify(counted, null, 2))
} else {
  const row = (cells: readonly unknown[]): string =>
    cells.map((cell, column) => (column === 0 ? String(cell).padEnd(16) : String(cell).padStart(8))).join('')
  console.log(row(['', 'lines', 'files', 'median', 'longest']))
  for (const { part, lines, files, median, longest } of counted)
    console.log(`${row([part, lines, files, median, longest?.lines ?? 0])}  ${longest?.file ?? ''}`)
  for (const { part, folders } of counted) {
    console.log(`\nfiles directly in a folder, ${part}`)
    for (const { folder, files } of folders.slice(0, shownFolders))
      console.log(`${String(files).padStart(6)}  ${folder}`)
  }
}
