import { expect, test } from 'vitest'
import { plainDialog } from '../../../../src/ui/cli/progress/plain-dialog.ts'
import { openProgress } from '../../../../src/ui/cli/progress/open-progress.ts'
import { fakeHost } from '../fake-host.ts'

test('a question is printed once, the typed line grows, other texts stand between, and nothing moves the cursor up', () => {
  const { stderr } = fakeHost()
  const { foot, print } = plainDialog(stderr)
  print('ana wants to use Bash')
  foot(['[o]nce [d]eny'])
  foot(['[o]nce [d]eny', '> ▏'])
  foot(['[o]nce [d]eny', '> xx▏'])
  foot(['[o]nce [d]eny', '> x▏'])
  print('bo: idle')
  foot(['Please type o or d.', '> ▏'])
  foot(['Please type o or d.', '> o▏'])
  foot(null)
  print('> o')
  print('ana: Bash(ls)')
  expect(stderr.text).toBe(
    [
      'ana wants to use Bash',
      '[o]nce [d]eny',
      '> xx\b \b',
      'bo: idle',
      '> x',
      'Please type o or d.',
      '> o',
      'ana: Bash(ls)',
      '',
    ].join('\n'),
  )
})

test('only the text that follows at once is taken for the typed line', () => {
  const { stderr } = fakeHost()
  const { foot, print } = plainDialog(stderr)
  print('')
  foot(['how', '> o▏'])
  foot(null)
  print('bo: idle')
  print('> o')
  expect(stderr.text).toBe('\nhow\n> o\nbo: idle\n> o\n')
})

test.each([
  ['a terminal', {}, {}, true],
  ['--no-tui', { tui: false }, {}, false],
  ['a terminal that cannot be drawn on', {}, { TERM: 'dumb' }, false],
])('%s', (_, options, env, isDrawn) => {
  const host = fakeHost({ terminal: { columns: 60, rows: 10 }, env })
  const progress = openProgress(['lead'], options, host)
  progress.foot(['how'])
  progress.close()
  expect(host.stderr.text.includes('\u001b[')).toBe(isDrawn)
})
