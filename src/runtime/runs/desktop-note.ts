import { showDesktopNote } from '../../adapters/notifications/desktop-note.ts'
import type { Note } from '../../protocol/words/note.ts'

/**
 * Shows a note on the desktop of whoever runs this process.
 * @param env of the process: the search path, and where the desktop is
 * @returns null when it was shown, otherwise why it was not
 */
export function noteOnDesktop(note: Note, env: Readonly<Record<string, string | undefined>>): Promise<string | null> {
  return showDesktopNote(note, { platform: process.platform, env })
}
