import type { Recorded } from '../../../protocol/facts/entry.ts'
import type { Note } from '../../../protocol/words/note.ts'
import { noteOnDesktop } from '../../../runtime/runs/desktop-note.ts'
import { plainLine } from '../../text/plain-text.ts'
import { terminalNote } from '../../text/terminal-note.ts'
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

/** Calls whoever started this process, when they asked for it: by the terminal, or else by the desktop. */
export function openNotifier({ notify, output, problem }: NotifierOptions, { env }: Pick<Host, 'env'>): Notifier {
  if (notify !== true && env[notifyVariable] !== '1') return () => undefined
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

/** The reason for which a fact calls a person; null when it calls none. */
export function reasonToCall({ owner, entry }: Recorded): string | null {
  return entry.type === 'permission.requested' ? `${owner} waits for you: ${entry.tool}` : null
}
