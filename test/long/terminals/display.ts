import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { bareEnv } from '../../support/bare-env.ts'

/** Programs that are not on this machine, of those. */
export function missingOf(...programs: readonly string[]): readonly string[] {
  return programs.filter((program) => spawnSync('which', [program]).status !== 0)
}

/** A virtual display with a person at it, who reads, sees titles and types, and knows no process behind the windows. */
export interface Display {
  /** What a program on it needs to know, beyond a bare environment. */
  readonly env: Readonly<Record<string, string>>
  /** Starts a program that ends with the test. */
  start(...argv: readonly [string, ...string[]]): void
  /** Titles of the windows, in order. */
  titles(): readonly string[]
  /** Puts the window of that title or kind before the others: the words in it, by a program that reads pictures. */
  read(title: string): string
  /** Types into the window that is before the others; `\n` is the Enter key. */
  type(text: string): void
}

/** What a test needs to open and see a display. */
export const displayPrograms = ['Xvfb', 'xdotool', 'import', 'tesseract'] as const

/**
 * Opens a display without a window manager: windows are raised and get the keyboard by the display itself, so no program
 * between has to live for a test to see them. The folder that the variable `TROUPE_PICTURES` names keeps
 * the last picture of each window.
 */
export async function openDisplay(): Promise<Display> {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-display-'))
  const pictures = process.env['TROUPE_PICTURES'] ?? folder
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1000x700x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  onTestFinished(async () => {
    server.kill()
    if (server.exitCode === null) await once(server, 'exit')
    rmSync(folder, { recursive: true, force: true })
  })
  const [number] = (await once(server.stdio[3] as NodeJS.ReadableStream, 'data')) as [Buffer]
  const env = {
    ...bareEnv,
    HOME: folder,
    XDG_RUNTIME_DIR: folder,
    LANG: 'C.UTF-8',
    DISPLAY: `:${number.toString().trim()}`,
    LIBGL_ALWAYS_SOFTWARE: '1',
  }
  const tool = (program: string, ...args: readonly string[]): string =>
    spawnSync(program, args, { env, encoding: 'utf8' }).stdout
  const start = (...[file, ...args]: readonly [string, ...string[]]): void => {
    const child = spawn(file, args, { env, stdio: 'ignore' })
    onTestFinished(() => void child.kill('SIGKILL'))
  }
  const windows = (title: string): readonly string[] =>
    tool('xdotool', 'search', '--onlyvisible', title).split('\n').filter(Boolean)
  const nameOf = (id: string): string => tool('xdotool', 'getwindowname', id).trim()
  return {
    env,
    start,
    titles: () => windows('@duo$').map(nameOf).toSorted(),
    read(title) {
      const [id] = windows(title)
      if (id === undefined) return `no window ${title}`
      tool('xdotool', 'windowraise', id, 'windowfocus', id)
      if (tool('xdotool', 'getwindowfocus', '-f').trim() !== id) return `not yet before the others: ${title}`
      const picture = join(pictures, `${title}.png`)
      tool('import', '-window', id, picture)
      return tool('tesseract', picture, '-', '--psm', '6')
    },
    type(text) {
      for (const line of text.split(/(?=\n)/)) {
        if (line.startsWith('\n')) tool('xdotool', 'key', 'Return')
        tool('xdotool', 'type', '--delay', '20', line.trimStart())
      }
    },
  }
}
