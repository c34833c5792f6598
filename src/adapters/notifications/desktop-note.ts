import { spawn } from 'node:child_process'
import { systemEnv } from '../fs/system-programs.ts'
import type { Note } from '../../protocol/words/note.ts'

/** How each system shows a note: the program and its words. The note's own words are arguments, never a script. */
const showers: Partial<Record<NodeJS.Platform, (note: Note) => readonly [program: string, ...args: string[]]>> = {
  linux: ({ title, text }) => ['notify-send', '--app-name=troupe', '--', title, text],
  darwin({ title, text }) {
    const script = ['on run words', 'display notification (item 2 of words) with title (item 1 of words)', 'end run']
    return ['osascript', ...script.flatMap((line) => ['-e', line]), title, text]
  },
}

/** Where a note is to be shown. */
export interface Desktop {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Shows a note on the desktop, by the program that the system has for it.
 * @returns null when it was handed over, otherwise why it was not
 */
export async function showDesktopNote(note: Note, { platform, env }: Desktop): Promise<string | null> {
  const [program, ...args] = showers[platform]?.(note) ?? []
  if (program === undefined) return `notes on the desktop are not known on ${platform}`
  const ended = Promise.withResolvers<string | null>()
  const child = spawn(program, args, { env: systemEnv(env, []), stdio: 'ignore' })
  child.once('error', (error) => ended.resolve(`${program}: ${error.message}`))
  // The caller need not wait for a desktop that is slow to answer.
  child.unref()
  child.once('close', (code) => ended.resolve(code === 0 ? null : `${program} ended with ${code}`))
  return ended.promise
}
