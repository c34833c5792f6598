import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { basename, join, resolve } from 'node:path'
import { build, type Plugin } from 'vite'
import { knownTools } from '../../src/adapters/tools/known-tools.ts'

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

/** What a module would have to read or to work out on every start, as a table in its place. */
const tables: Readonly<Record<string, () => Promise<string>>> = {
  'adapters/tools/prompts/prompt-file.ts': async () => {
    const folder = join('src', 'adapters', 'tools', 'prompts')
    const files = readdirSync(folder).filter((file) => file.endsWith('.md'))
    const texts = files.map((file) => [basename(file, '.md'), readFileSync(join(folder, file), 'utf8')] as const)
    return `const texts = new Map(${JSON.stringify(texts)})
      export function promptFile(name) {
        const text = texts.get(name)
        if (text === undefined) throw new Error(name + '.md is missing')
        return text
      }`
  },
  'adapters/tools/known-tools.ts': async () => `export async function knownTools() {
    return ${JSON.stringify(await knownTools())}
  }`,
}

function builtTables(): Plugin {
  return {
    name: 'built-tables',
    async load(id) {
      const table = Object.entries(tables).find(([file]) => id.replaceAll('\\', '/').endsWith(`/src/${file}`))
      return table ? await table[1]() : null
    },
  }
}

/**
 * Asks for Node's own modules instead of importing them: an import reads every export of such a module, and with them
 * what nobody needs (the terminal with `node:process`, decoders and a diff with `node:util`), on every start.
 */
function nodeOnDemand(): Plugin {
  const own = /^import (?:([\w$]+)(?:, )?)?(\{[^}]*\})? from "(node:[\w/]+)";$/gm
  return {
    name: 'node-on-demand',
    renderChunk: (code) =>
      code.replace(own, (_, whole: string | undefined, parts: string | undefined, module: string) =>
        [whole, parts?.replaceAll(' as ', ': ')]
          .flatMap((name) => name ?? [])
          .map((name) => `const ${name} = globalThis.process.getBuiltinModule("${module}");`)
          .join('\n'),
      ),
  }
}

/** Commander starts other programs only for commands that are such; here there are none. */
function noPrograms(): Plugin {
  const line = "import childProcess from 'node:child_process';"
  return {
    name: 'no-programs',
    transform(code, id) {
      if (!id.endsWith('commander/lib/command.js')) return null
      if (!code.includes(line)) throw new Error('commander looks for child processes in another way')
      return code.replace(line, "const childProcess = { spawn: () => { throw new Error('no command is a program') } };")
    },
  }
}

function isApart(id: string): boolean {
  if (isBuiltin(id)) return true
  const [scope = '', name = ''] = id.split('/')
  return apart.has(scope.startsWith('@') ? `${scope}/${name}` : scope)
}

/** Of what follows, the parts that agents need, too: they shall not load the rest with them. */
const smallParts = [
  'adapters/models/providers',
  'protocol/(duration|error-text|executor|ids|model-timeouts|permission|supervision)',
  'rules/(advice|coordinator-tools|did-you-mean|escalation|team-problem|tool-limit|verification)',
  'runtime/run-(halted|too-deep)',
]

/**
 * What a command loads together lies in one file: to find and read a file takes as long as to read a thousand lines more
 * in it. A group has what its test names, and all that this imports and no group before it has.
 */
const together = [
  { name: 'version', test: /\/ui\/cli\/(node-version|package-root)\.ts$/ },
  { name: 'words', test: new RegExp(`/(${smallParts.join('|')})\\.ts$`) },
  { name: 'documents', test: /\/adapters\/teams\/(prune|read-source|yaml-source)\.ts$/ },
  { name: 'command', test: /\/ui\/cli\/(find-team|main)\.ts$/ },
  { name: 'team', test: /\/runtime\/load-team\.ts$/ },
]

rmSync(out, { recursive: true, force: true })
const types = ['node_modules/typescript-7/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', out]
const { status } = spawnSync(process.execPath, types, { stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)

await build({
  configFile: false,
  logLevel: 'warn',
  plugins: [builtTables(), noPrograms(), nodeOnDemand()],
  // As modules, of which only what is used comes along; its package would give Node the other kind.
  resolve: { alias: { yaml: resolve('node_modules/yaml/browser/index.js') } },
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
      input: {
        agent: 'src/agent.ts',
        index: 'src/index.ts',
        tools: 'src/tools.ts',
        'ui/cli/bin': 'src/ui/cli/bin.ts',
      },
      external: isApart,
      output: {
        comments: false,
        entryFileNames: 'src/[name].js',
        // One folder below `src`, as the code that looks for the command line's file from where it stands expects.
        chunkFileNames: 'src/parts/[name]-[hash].js',
        codeSplitting: { groups: together },
      },
    },
  },
})
