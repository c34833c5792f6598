/** A note as a terminal is told of it. */
export interface TerminalNote {
  /** Bytes for the terminal: a bell at least, and no movement of the cursor. */
  readonly sequence: string
  /** The terminal shows the words, so that nobody else has to. */
  readonly shown: boolean
}

interface Words {
  readonly title: string
  readonly text: string
}

type Environment = Readonly<Record<string, string | undefined>>

interface Speaker {
  readonly isHere: (env: Environment) => boolean
  readonly say: (words: Words) => string
}

const bell = '\u0007'
const osc = (body: string): string => `\u001b]${body}\u001b\\`

/** Terminals with notes of their own. A new one is one entry. */
const speakers: readonly Speaker[] = [
  {
    // https://sw.kovidgoyal.net/kitty/desktop-notifications/
    isHere: ({ KITTY_WINDOW_ID }) => KITTY_WINDOW_ID !== undefined,
    say: ({ title, text }) => osc(`99;i=troupe:d=0;${title}`) + osc(`99;i=troupe:p=body;${text}`),
  },
  {
    isHere: ({ TERM_PROGRAM }) => ['iTerm.app', 'WezTerm', 'ghostty'].includes(TERM_PROGRAM ?? ''),
    say: ({ title, text }) => osc(`9;${title}: ${text}`),
  },
  {
    isHere: ({ TERM }) => TERM?.startsWith('foot') === true || TERM?.startsWith('rxvt-unicode') === true,
    say: ({ title, text }) => osc(`777;notify;${title.replaceAll(';', ',')};${text}`),
  },
]

/**
 * Rings, and shows the words where the terminal can. Inside tmux and screen only the bell gets through: they mark
 * the window that rang.
 * @param words on one line and plain, as `plainLine` makes them
 * @example terminalNote({ title: 'review', text: 'the run has ended' }, { TERM_PROGRAM: 'WezTerm' }).shown // true
 */
export function terminalNote(words: Words, env: Environment): TerminalNote {
  const nested = env['TMUX'] !== undefined || env['STY'] !== undefined
  const speaker = nested ? undefined : speakers.find(({ isHere }) => isHere(env))
  return { sequence: `${speaker?.say(words) ?? ''}${bell}`, shown: speaker !== undefined }
}
