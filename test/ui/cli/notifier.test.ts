import { describe, expect, test } from 'vitest'
import { terminalNote } from '../../../src/ui/cli/host/notifier.ts'

const words = { title: 'review', text: 'writer waits for you: Bash' }

describe('a note for a terminal', () => {
  test.each([
    ['kitty', { KITTY_WINDOW_ID: '1' }, '\u001b]99;i=troupe:d=0;review\u001b\\'],
    ['WezTerm', { TERM_PROGRAM: 'WezTerm' }, '\u001b]9;review: writer waits for you: Bash\u001b\\'],
    ['iTerm2', { TERM_PROGRAM: 'iTerm.app' }, '\u001b]9;review: '],
    ['foot', { TERM: 'foot-extra' }, '\u001b]777;notify;review;writer waits for you: Bash\u001b\\'],
  ])('is in the words of %s, and rings', (_, env, begin) => {
    const { sequence, shown } = terminalNote(words, env)
    expect(shown).toBe(true)
    expect(sequence.startsWith(begin)).toBe(true)
    expect(sequence.endsWith('\u0007')).toBe(true)
  })

  test.each([
    ['a terminal without notes', { TERM: 'xterm-256color' }],
    ['tmux in a terminal that has them', { TERM_PROGRAM: 'WezTerm', TMUX: '/tmp/tmux-0/default,1,0' }],
    ['screen in a terminal that has them', { KITTY_WINDOW_ID: '1', STY: '1.pts' }],
  ])('is a bell alone in %s', (_, env) => {
    expect(terminalNote(words, env)).toEqual({ sequence: '\u0007', shown: false })
  })

  test('cannot be made longer by its title', () => {
    const { sequence } = terminalNote({ title: 'a;b', text: 'c' }, { TERM: 'foot' })
    expect(sequence).toBe('\u001b]777;notify;a,b;c\u001b\\\u0007')
  })
})
