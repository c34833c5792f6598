import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emulator, type Emulator } from '../support/emulator.ts'
import { returned, spoken, stagedRun, type StagedRun } from '../support/staged-run.ts'

const sha = 'a'.repeat(64)

/** A member with a text, a failed command whose output is folded, and an edit. */
async function begin(terminal: Emulator): Promise<StagedRun> {
  const run = stagedRun(['lead', 'ana'])
  const output = `${Array.from({ length: 30 }, (_, n) => `line ${n}`).join('\n')}\nNeedle here\nlast`
  run.tell('ana', { type: 'member.woke' })
  for (let n = 0; n < 20; n += 1) run.tell('ana', spoken(`Message ${n} ends in src/app.ts:${n + 1}.`))
  run.tell('ana', spoken('', ['c1', 'Bash', { command: 'npm test' }]), returned('c1', 'Bash', output))
  run.tell(
    'ana',
    spoken('', ['c2', 'Edit', { file_path: 'math.js', old_string: 'a + b', new_string: 'a - b' }]),
    returned('c2', 'Edit', `done; the whole: /x/artifacts/${sha}`),
  )
  mkdirSync(join(run.dir, 'artifacts'), { recursive: true })
  writeFileSync(join(run.dir, 'artifacts', sha), 'The whole of it.\n')
  writeFileSync(join(run.cast.cwd, 'math.js'), '// first\n\nexport const f = (a, b) => a + b\n')
  void run.show(terminal, 'ana')
  await run.listened()
  await terminal.until((screen) => screen.includes('Edit(math.js)'))
  return run
}

/** Letters that come together are one stroke: the words are typed when the line for them is there. */
async function search(terminal: Emulator, words: string): Promise<void> {
  terminal.press('/')
  await terminal.until((screen) => screen.includes('/▏'))
  terminal.press(`${words}\r`)
}

const copiesIn = (terminal: Emulator): readonly string[] =>
  [...terminal.written().matchAll(/\u001b\]52;c;([^\u0007]*)\u0007/g)].map(([, text = '']) =>
    Buffer.from(text, 'base64').toString(),
  )

test('a search finds what is folded, unfolds it alone, and goes on in both directions', async () => {
  const terminal = emulator(80, 24)
  await begin(terminal)
  terminal.press('\u0012')
  await terminal.until((screen) => screen.includes('22 of 22'))
  await search(terminal, 'needle')
  const screen = await terminal.until((text) => text.includes('Needle here'))
  expect(screen).toContain('21 of 22 · line 33 of 34')
  expect(screen).toContain('▌   Needle here')
  for (const [columns, rows] of [
    [200, 60],
    [80, 24],
    [120, 40],
  ] as const) {
    terminal.resize(columns, rows)
    // The bar of the search ends with as many of its words as fit.
    const last = columns < 100 ? 'y copy' : 'v whole'
    const found = await terminal.until(
      (text) => text.includes('▌   Needle here') && text.split('\n').at(-2)?.endsWith(last) === true,
    )
    await expect(`${found}\n`).toMatchFileSnapshot(`../golden/search-${columns}x${rows}.txt`)
  }
  terminal.press('\r')
  await terminal.until((text) => !text.includes('Needle here') && text.includes('line 1 of 1'))
  await search(terminal, 'message 1')
  await terminal.until((text) => text.includes('20 of 22'))
  terminal.press('N')
  await terminal.until((text) => text.includes('19 of 22'))
  terminal.press('n')
  await terminal.until((text) => text.includes('20 of 22'))
  terminal.press('n')
  await terminal.until((text) => text.includes('2 of 22') && text.includes('from the other end'))
  terminal.press('\u001b')
  await terminal.until((text) => text.includes('ana>'))
})

test('a block is copied by the key for it alone, opened at its line, and shown whole', async () => {
  const terminal = emulator(80, 24)
  const run = await begin(terminal)
  terminal.press('\u0012')
  await terminal.until((screen) => screen.includes('22 of 22'))
  expect(copiesIn(terminal)).toEqual([])
  terminal.press('o')
  await expect.poll(() => run.edited).toEqual([[join(run.cast.cwd, 'math.js'), 3]])
  terminal.press('v')
  await terminal.until((screen) => screen.includes('The whole of it.'))
  terminal.press('\u001b')
  await terminal.until((screen) => screen.includes('22 of 22'))
  terminal.press('k')
  terminal.press('k')
  await terminal.until((screen) => screen.includes('20 of 22'))
  terminal.press('y')
  await terminal.until((screen) => screen.includes('copied: 33 characters'))
  expect(copiesIn(terminal)).toEqual(['Message 19 ends in src/app.ts:20.'])
  terminal.press('o')
  await terminal.until((screen) => screen.includes('is no file here'))
})

test('what members write puts nothing into the clipboard, and mail that nobody read stands in the pane', async () => {
  const terminal = emulator(80, 24)
  const run = await begin(terminal)
  run.tell('ana', spoken('\u001b]52;c;ZXZpbA==\u0007 said'))
  await terminal.until((screen) => screen.includes('said'))
  terminal.press('\u0012')
  await terminal.until((screen) => screen.includes('23 of 23'))
  expect(copiesIn(terminal)).toEqual([])
  terminal.press('\u001b')
  await terminal.until((screen) => screen.includes('ana>'))
  terminal.press('look at this')
  terminal.press('\r')
  await terminal.until((screen) => screen.includes('not read yet: text from user: look at this'))
})
