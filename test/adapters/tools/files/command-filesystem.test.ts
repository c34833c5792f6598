import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { contentHash } from '../../../../src/adapters/fs/content-hash.ts'
import { localFiles } from '../../../../src/adapters/fs/local-files.ts'
import { createAgent } from '../../../../src/index.ts'
import { Bash, commandFilesystem, Edit, Glob, Read, Write } from '../../../../src/tools.ts'

function place() {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-elsewhere-')))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const work = join(dir, 'work')
  mkdirSync(work)
  // It takes words as a container's client does, and closes what it does not pass on.
  writeFileSync(join(dir, 'box'), 'INSIDE=yes exec "$@" 3>&-\n')
  return {
    dir,
    work,
    files: commandFilesystem(['sh', join(dir, 'box')], process.env),
    at: (name: string) => join(work, name),
  }
}

const bytes = Buffer.from(Array.from({ length: 5_000 }, (_, n) => (n * 7) % 256))

test('reads what a local backend reads, byte for byte, and names what it cannot', async () => {
  const { work, files, at } = place()
  writeFileSync(at("it's a \n name"), bytes)
  symlinkSync("it's a \n name", at('link'))
  const opened = await files.open(at("it's a \n name"))
  if ('trouble' in opened) throw new Error(opened.trouble)
  expect(opened.size).toBe(5_000)
  const buffer = new Uint8Array(3_000)
  expect([await opened.read(buffer), await opened.read(buffer), await opened.read(buffer)]).toEqual([3_000, 2_000, 0])
  expect(Buffer.from(await opened.bytes())).toEqual(bytes)
  expect(await files.open(at('none'))).toEqual({ trouble: `${at('none')} does not exist.`, why: 'absent' })
  expect(await files.open(work)).toMatchObject({ trouble: expect.stringContaining('is a directory') as string })
  expect(await files.open(at('link'), at('link'))).toMatchObject({ why: 'moved' })
  const listed = [await files.list(work), await localFiles.list(work)].map((listing) =>
    'trouble' in listing ? listing : listing.entries.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  )
  expect(listed[0]).toEqual(listed[1])
  expect(await files.list(at('link'))).toMatchObject({
    trouble: expect.stringContaining('is not a directory') as string,
  })
})

test('replaces in one step what the caller saw, keeps the mode, and creates only where nothing is', async () => {
  const { files, at } = place()
  const made = { content: bytes, before: null }
  expect(await files.replace(at('deep/er/a.bin'), made)).toEqual({
    real: at('deep/er/a.bin'),
    hash: contentHash(bytes),
  })
  expect(readFileSync(at('deep/er/a.bin'))).toEqual(bytes)
  expect(await files.replace(at('deep/er/a.bin'), made)).toMatchObject({ why: 'changed' })
  chmodSync(at('deep/er/a.bin'), 0o750)
  const next = { content: 'ünd\n', before: contentHash(bytes), led: at('deep/er/a.bin') }
  expect(await files.replace(at('deep/er/a.bin'), next)).toMatchObject({ hash: contentHash('ünd\n') })
  expect(readFileSync(at('deep/er/a.bin'), 'utf8')).toBe('ünd\n')
  expect(statSync(at('deep/er/a.bin')).mode & 0o777).toBe(0o750)
  expect(await files.replace(at('deep/er/a.bin'), next)).toMatchObject({ why: 'changed' })
  symlinkSync(at('deep'), at('way'))
  const through = { content: 'x', before: null, led: at('way/b') }
  expect(await files.replace(at('way/b'), through)).toMatchObject({ why: 'moved' })
  expect(await files.list(at('deep'))).toEqual({ entries: [{ name: 'er', kind: 'directory' }] })
})

test('an agent works there with its file tools and its shell', async () => {
  const { dir, work, files, at } = place()
  writeFileSync(at('a.txt'), 'one\n')
  const steps = [
    { calls: [{ tool: 'Read', input: { file_path: 'a.txt' } }] },
    { calls: [{ tool: 'Edit', input: { file_path: 'a.txt', old_string: 'one', new_string: 'two' } }] },
    { calls: [{ tool: 'Write', input: { file_path: 'b/c.txt', content: 'new\n' } }] },
    { calls: [{ tool: 'Glob', input: { pattern: '*' }, as: 'glob' }] },
    {
      calls: [{ tool: 'Bash', input: { command: 'echo "inside: $INSIDE"; pwd; cat a.txt b/c.txt; exit 3' }, as: 'sh' }],
    },
    { say: '{{glob.text}} {{sh.text}}' },
  ]
  writeFileSync(join(dir, 'answers.yaml'), JSON.stringify({ agents: { agent: { steps } } }))
  const agent = createAgent({
    model: `scripted/${join(dir, 'answers.yaml')}`,
    cwd: work,
    home: dir,
    files,
    tools: [Read, Edit, Write, Glob, Bash],
    permissions: { allow: ['Edit', 'Write', 'Bash'] },
  })
  const { text, failure } = await agent.run('Go.').result
  expect({ text, failure }).toEqual({
    text: `The files are elsewhere, where this tool does not reach: search with Bash (grep -rn, find). inside: yes\n${work}\ntwo\nnew\n[exit 3]`,
    failure: undefined,
  })
})

test('a backend that cannot be reached says why', async () => {
  const files = commandFilesystem(['sh', '-c', 'echo no such box >&2; exit 125'], process.env)
  expect(await files.open('/a')).toEqual({ trouble: '/a cannot be reached: no such box', why: 'other' })
  expect(await commandFilesystem(['/no/such/program'], process.env).list('/a')).toMatchObject({
    trouble: expect.stringContaining('/a cannot be reached: ') as string,
  })
})
