import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entries } from '../tools/entries.ts'
import { promptText } from '../../src/adapters/tools/prompts/prompt-text.ts'

/** The package as it is installed: what `npm run build` makes, its manifest, its teams, and its dependencies. */
const home = mkdtempSync(join(tmpdir(), 'troupe-built-'))
const bin = join(home, 'dist/src/ui/cli/bin.js')

function node(...words: readonly string[]) {
  const env = { PATH: process.env['PATH'], HOME: join(home, 'person'), NO_COLOR: '1' }
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: home, env, encoding: 'utf8' })
  return { status, stdout, stderr }
}

/** Files that a program loads. */
function filesLoadedBy(...words: readonly string[]): readonly string[] {
  const spy = `import { registerHooks } from 'node:module'
    registerHooks({ load(url, context, next) { console.error(url); return next(url, context) } })`
  const { stderr } = node('--import', `data:text/javascript,${encodeURIComponent(spy)}`, ...words)
  return stderr.split('\n').flatMap((url) => (url.startsWith('file:') ? [fileURLToPath(url)] : []))
}

beforeAll(() => {
  cpSync('package.json', join(home, 'package.json'))
  cpSync('teams', join(home, 'teams'), { recursive: true })
  symlinkSync(resolve('node_modules'), join(home, 'node_modules'))
  mkdirSync(join(home, 'person'))
  const { status, stdout, stderr } = spawnSync(process.execPath, ['test/tools/build.ts', join(home, 'dist')], {
    encoding: 'utf8',
  })
  expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: '' })
}, 120_000)

afterAll(() => rmSync(home, { recursive: true, force: true }))

describe('the built package', () => {
  test('holds every entry that its manifest names, with types', () => {
    const { bin: bins, exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      bin: object
      exports: Record<string, string | object>
    }
    const named = [bins, ...Object.values(exports)].flatMap((entry) =>
      typeof entry === 'string' ? [entry] : (Object.values(entry) as string[]),
    )
    expect(named.filter((file) => !existsSync(join(home, file)))).toEqual([])
  })

  test('names the licence of what it carries', () => {
    const licences = readFileSync(join(home, 'dist/third-party-licenses.md'), 'utf8')
    expect(licences).toContain('## xstate - ')
    expect(licences).toContain('## zod - ')
  })

  test('has types that stand alone, as the committed ones in docs/api', () => {
    for (const entry of entries()) {
      const types = readFileSync(join(home, `dist/src/${entry}.d.ts`), 'utf8')
      expect(types).not.toMatch(/from "\.|import\("\./)
      expect(types, 'run "npm run docs"').toBe(readFileSync(`docs/api/${entry}.d.ts`, 'utf8'))
    }
  })

  test('leaves the vendors to be loaded when they are needed', () => {
    const loaded = filesLoadedBy(join(home, 'dist/src/agent.js'))
    expect(loaded).toContain(join(home, 'dist/src/agent.js'))
    expect(loaded.filter((file) => /node_modules\/(openai|@anthropic-ai|undici|yaml)\//.test(file))).toEqual([])
  })

  test('finds in team files what the sources find', () => {
    const files = Object.entries(brokenTeams).map(([name, text]) => {
      writeFileSync(join(home, 'teams', `${name}.yaml`), text)
      return `teams/${name}.yaml`
    })
    const words = ['check', '--json', ...files, 'teams/quickstart.yaml', 'teams/review.yaml']
    const built = node(bin, ...words)
    expect(built).toEqual(node(resolve('src/ui/cli/bin.ts'), ...words))
    const { diagnostics } = JSON.parse(built.stdout) as { diagnostics: readonly { file: string }[] }
    expect(new Set(diagnostics.map(({ file }) => file)).size).toBe(files.length + 1)
  })

  test('tells its version, and what models read of a tool word for word', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    expect(node(bin, '--version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' })
    expect(node(bin, 'tools', 'describe', 'MultiEdit').stdout).toContain(promptText('multi-edit').split('\n')[0])
  })

  test.each(['in-process', 'process'])('runs a team whose workers are %s', (executor) => {
    const ran = node(bin, 'run', 'teams/quickstart.yaml', '--executor', executor)
    expect(ran.stderr).not.toContain('error')
    expect(ran.status).toBe(0)
  })

  test('serves a program of somebody who has installed it, with strict types', () => {
    const user = install()
    const compiler = resolve('node_modules/typescript-7/bin/tsc')
    const options = { ...strict, typeRoots: [resolve('node_modules/@types')] }
    writeFileSync(join(user, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['user.ts'] }))
    expect(node(compiler, '-p', join(user, 'tsconfig.json'))).toEqual({ status: 0, stdout: '', stderr: '' })
    const env = { PATH: process.env['PATH'], HOME: join(home, 'person') }
    const ran = spawnSync(process.execPath, ['user.ts'], { cwd: user, env, encoding: 'utf8' })
    expect(ran).toMatchObject({ status: 0, stdout: printed })
  })

  test('takes tools whose schema is made with the zod that it hands out, or with another copy', () => {
    const library = pathToFileURL(join(home, 'dist/src/agent.js')).href
    writeFileSync(join(home, 'script.yaml'), script)
    writeFileSync(join(home, 'two.mjs'), agentWithTwoTools(library))
    expect(node('two.mjs')).toEqual({ status: 0, stdout: 'own 3, other 4, other refused\n', stderr: '' })
  })
})

/** A project with the package that npm packs, beside the packages that it needs. */
function install(): string {
  for (const file of ['README.md', 'LICENSE', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'])
    cpSync(file, join(home, file))
  const user = join(home, 'user')
  const installed = join(user, 'node_modules/troupe')
  mkdirSync(installed, { recursive: true })
  const packing = ['pack', '--ignore-scripts', '--silent', '--pack-destination', user]
  const packed = spawnSync('npm', packing, { cwd: home, encoding: 'utf8' })
  expect(packed).toMatchObject({ status: 0 })
  const unpacking = ['-xzf', join(user, packed.stdout.trim()), '-C', installed, '--strip-components', '1']
  expect(spawnSync('tar', unpacking)).toMatchObject({ status: 0 })
  symlinkSync(resolve('node_modules'), join(installed, 'node_modules'))
  writeFileSync(join(user, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(user, 'bo.yaml'), 'agents: { bo: { steps: [{ say: bo is done }] } }')
  cpSync('test/package/user.ts', join(user, 'user.ts'))
  return user
}

const strict = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  target: 'es2024',
  module: 'nodenext',
  types: ['node'],
  noEmit: true,
}

const printed = `[ 'workers.ana.tools[0]: did you mean Shout?' ]
TeamFileError: workers error missing_key workers is required
completed lead@pair 2, ana@pair 2, bo@pair 1 1
completed true 3
over ask
`

const worker = 'workers: { hand: { description: d, prompt: p, tools: [Read] } }'
const brokenTeams = {
  shape: `name: Shape\nmodle: scripted/x.yaml\ncoordinator: { tools: 3 }\n${worker}\n`,
  tools: `name: tools\nmodel: scripted/x.yaml\ncoordinator: { tools: [Reed, Delegate] }\n${worker}\nhttp_tools: { Read: { description: d, url: "http://x" } }\n`,
  rules: `name: rules\nmodel: scripted/x.yaml\npermissions: { allow: ["Bash(ls:*)"], deny: [Bash, "Bash("] }\ncoordinator: {}\n${worker}\n`,
  form: `name: form\nname: again\ncoordinator: { from: nowhere.md }\n${worker}\nb: &a [*a]\n`,
}

const script = JSON.stringify({
  agents: {
    agent: {
      steps: [
        {
          calls: [
            { tool: 'Own', as: 'own', input: { n: 3 } },
            { tool: 'Other', as: 'other', input: { n: 4 } },
            { tool: 'Other', as: 'wrong', input: { n: 'four' } },
          ],
        },
        { say: '{{own.text}}, {{other.text}}, other {{wrong.text|refused}}' },
      ],
    },
  },
})

function agentWithTwoTools(library: string): string {
  return `
    import * as other from 'zod'
    import { createAgent, defineTool, z } from ${JSON.stringify(library)}
    const made = (name, input) => defineTool({
      name, input, description: 'Says its number.', effect: 'none', isReadOnly: () => true,
      run: async ({ n }) => ({ content: [{ type: 'text', text: name.toLowerCase() + ' ' + n }] }),
    })
    if (other.z === z) throw new Error('there is only one copy, this test shows nothing')
    const tools = [made('Own', z.strictObject({ n: z.number() })), made('Other', other.z.strictObject({ n: other.z.number() }))]
    const agent = createAgent({ model: 'scripted/script.yaml', tools })
    console.log((await agent.run('Go.').result).text)
    agent.close()`
}
