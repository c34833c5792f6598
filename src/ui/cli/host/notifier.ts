import type { Note } from '../../../protocol/words/note.ts'
import { noteOnDesktop } from '../../../runtime/runs/desktop-note.ts'
import { plainLine } from '../../text/plain-text.ts'
import type { Host, Output } from './host.ts'

/** Set to 1, it asks for notes as `--notify` does; a run that leaves its terminal inherits it. */
export const notifyVariable = 'TROUPE_NOTIFY'

/** How a person is called. `problem` hears, once, why the desktop shows nothing. */
export interface NotifierOptions {
  readonly notify: boolean | undefined
  /** The terminal that rings, where it is one. */
  readonly output: Output
  readonly problem: (text: string) => void
}

export type Notifier = (note: Note) => void

/** Calls whoever started this process: by the terminal, or else by the desktop. Null when they did not ask for it. */
export function openNotifier(
  { notify, output, problem }: NotifierOptions,
  { env }: Pick<Host, 'env'>,
): Notifier | null {
  if (notify !== true && env[notifyVariable] !== '1') return null
  let silent = false
  const onDesktop = async (note: Note): Promise<void> => {
    const trouble = silent ? null : await noteOnDesktop(note, env)
    if (trouble === null || silent) return
    silent = true
    problem(`no notes on the desktop: ${trouble}`)
  }
  return ({ title, text }) => {
    const note = { title: plainLine(title), text: plainLine(text) }
    const { sequence, shown } = terminalNote(note, env)
    const rings = output.isTTY === true
    if (rings) output.write(sequence)
    if (!rings || !shown) void onDesktop(note)
  }
}

/** A note as a terminal is told of it. */
interface TerminalNote {
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
