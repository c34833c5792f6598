import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inLanguage, where, type Snippet } from '../docs/snippets.ts'
import { openWorkbench, type Workbench } from '../docs/workbench.ts'

const library = pathToFileURL(resolve('src/index.ts')).href
const parts = ['agent', 'runs', 'tools']

let bench: Workbench
beforeAll(() => {
  bench = openWorkbench()
})
afterAll(() => bench.remove())

describe('TypeScript in the documents', () => {
  const runnable = inLanguage('ts').filter(({ note }) => note === 'run')
  test.for(runnable.map((snippet) => [where(snippet), snippet] as const))('%s runs', async ([, snippet]) => {
    const file = join(bench.dir, `${where(snippet).replaceAll(/\W/g, '-')}.ts`)
    const text = parts.reduce(
      (said, part) => said.replaceAll(`from 'troupe/${part}'`, `from '${resolve(`src/${part}.ts`)}'`),
      snippet.text.replaceAll(`from 'troupe'`, `from '${library}'`),
    )
    writeFileSync(file, text)
    const ran = await execa(process.execPath, [file], {
      cwd: bench.dir,
      env: { HOME: bench.dir },
      all: true,
      reject: false,
    })
    expect({ exitCode: ran.exitCode, all: ran.all }).toMatchObject({ exitCode: 0 })
  })
})

describe('commands in the documents', () => {
  const troupe = inLanguage('sh').filter(({ text }) => /^(.*\| )?(npx )?troupe /m.test(text))

  test.for(troupe.map((snippet) => [where(snippet), snippet] as const))('%s runs', async ([, snippet]) => {
    if (snippet.note === 'needs-model') return expectMissingModel(snippet)
    if (snippet.note === 'needs-server') return expectMissingServer(snippet)
    const { exitCode, all: output } = await bench.sh(snippet.text)
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 })
  })

  async function expectMissingModel({ text }: Snippet): Promise<void> {
    for (const line of text.trimEnd().split('\n')) {
      const { exitCode, all: output } = await bench.sh(line)
      expect({ line, exitCode, output }).toMatchObject({
        exitCode: 5,
        output: expect.stringContaining('model') as string,
      })
    }
  }

  /** No package is fetched by a test: the command says which server did not come up. */
  async function expectMissingServer({ text }: Snippet): Promise<void> {
    await bench.sh('troupe mcp add memory -- npx --offline -y @modelcontextprotocol/no-such-server')
    for (const line of text.trimEnd().split('\n')) {
      const { exitCode, all: output } = await bench.sh(line)
      expect({ line, exitCode, output }).toMatchObject({
        exitCode: 5,
        output: expect.stringContaining('memory') as string,
      })
    }
  }
})
