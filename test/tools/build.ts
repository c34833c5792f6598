import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { build, type Plugin } from 'vite'

/*
 * `npm run build [-- <folder>]`: makes `dist`. Types come from the compiler; code is gathered into few files together
 * with the small packages it always needs, because most of a start is finding and reading files. Parts that are
 * imported when they are needed stay apart. What stands on a vendor or on the system stays a package of its own.
 */
const out = process.argv[2] ?? 'dist'

const apart = new Set([
  '@anthropic-ai/sdk',
  '@lydell/node-pty',
  '@pydantic/genai-prices',
  '@vscode/ripgrep',
  'ajv',
  'chokidar',
  'execa',
  'ink',
  'openai',
  'proper-lockfile',
  'react',
  'turndown',
  'unbash',
  'undici',
  'unpdf',
])

/** What models read of tools, in one table. */
function promptTable(): Plugin {
  const folder = join('src', 'adapters', 'tools')
  return {
    name: 'prompt-table',
    load(id) {
      if (!id.endsWith(join(folder, 'prompt-file.ts'))) return null
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'))
      const texts = files.map((file) => [nameOf(file), readFileSync(join(folder, file), 'utf8')] as const)
      return `const texts = new Map(${JSON.stringify(texts)})
        export function promptFile(name) {
          const text = texts.get(name)
          if (text === undefined) throw new Error(name + '.md is missing')
          return text
        }`
    },
  }
}

/** `tasks/task-list.md` → `tasks/task-list`, with the same slashes everywhere. */
function nameOf(file: string): string {
  return file.replaceAll('\\', '/').replace(/\.md$/, '')
}

function isApart(id: string): boolean {
  if (isBuiltin(id)) return true
  const [scope = '', name = ''] = id.split('/')
  return apart.has(scope.startsWith('@') ? `${scope}/${name}` : scope)
}

rmSync(out, { recursive: true, force: true })
const types = ['node_modules/typescript-7/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', out]
const { status } = spawnSync(process.execPath, types, { stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)

await build({
  configFile: false,
  logLevel: 'warn',
  plugins: [promptTable()],
  ssr: { noExternal: true },
  build: {
    ssr: true,
    target: 'es2024',
    outDir: out,
    emptyOutDir: false,
    copyPublicDir: false,
    // Stacks that people send stay readable.
    minify: false,
    license: { fileName: 'third-party-licenses.md' },
    rolldownOptions: {
      input: { agent: 'src/agent.ts', index: 'src/index.ts', 'ui/cli/bin': 'src/ui/cli/bin.ts' },
      external: isApart,
      output: {
        comments: false,
        entryFileNames: 'src/[name].js',
        // One folder below `src`, as the code that looks for the command line's file from where it stands expects.
        chunkFileNames: 'src/parts/[name]-[hash].js',
      },
    },
  },
})
