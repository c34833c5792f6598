import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { entries } from './entries.ts'
import { rollTypes } from './roll-types.ts'

/*
 * `npm run build [-- <folder>]`: makes `dist`. The sources go through a plain bundler, parts that are imported on demand
 * stay apart, and packages stay packages. Texts for models are copied as files.
 */
const out = process.argv[2] ?? 'dist'

/** Packages of many small files that every start reads: `dist` holds a copy of them. */
const carried = [
  '@isaacs/nonrecursive-glob-match',
  'balanced-match',
  'brace-expansion',
  'fastest-levenshtein',
  'ignore',
  'minimatch',
  'ulid',
  'xstate',
  'yaml',
  'zod',
]

/** Modules that look for files from where they stand: each keeps its place below `src`. */
const prompts = 'adapters/tools/prompts'
const placed = ['runtime/runs/own-program', `${prompts}/prompt-text`]

await build({
  configFile: false,
  logLevel: 'warn',
  ssr: { noExternal: carried },
  build: {
    ssr: true,
    target: 'es2024',
    outDir: out,
    emptyOutDir: true,
    copyPublicDir: false,
    // Stacks that people send stay readable.
    minify: false,
    license: { fileName: 'third-party-licenses.md' },
    rolldownOptions: {
      input: Object.fromEntries([...entries(), 'ui/cli/bin'].map((name) => [name, `src/${name}.ts`])),
      output: {
        entryFileNames: 'src/[name].js',
        chunkFileNames: ({ name }) => (placed.includes(name) ? 'src/[name].js' : 'src/parts/[name]-[hash].js'),
        codeSplitting: { groups: placed.map((name) => ({ name, test: (id) => id.endsWith(`/src/${name}.ts`) })) },
      },
    },
  },
})
for (const file of readdirSync(join('src', prompts)).filter((name) => name.endsWith('.md')))
  cpSync(join('src', prompts, file), join(out, 'src', prompts, file))
await rollTypes(join(out, 'src'))
