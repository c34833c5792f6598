import { createRequire } from 'node:module'
import type * as graphemes from '@xterm/addon-unicode-graphemes'
import xterm from '@xterm/headless'

/**
 * Terminal emulators that count graphemes; the only door to the addon that does it.
 *
 * The addon decodes its table of widths with `Buffer.from` while it is loaded, and reads the header of the table at the
 * start of the memory below (xtermjs/xterm.js#6079). Small buffers of a process share their memory: the header would be
 * what some other buffer has written, and wide characters might be narrow in this process. A buffer of its own starts at
 * its memory's start.
 */
function loadGraphemes(): typeof graphemes {
  const shared = Buffer.poolSize
  Buffer.poolSize = 0
  try {
    // Loading must not wait: other code would meet the pool of size 0.
    return createRequire(import.meta.url)('@xterm/addon-unicode-graphemes') as typeof graphemes
  } finally {
    Buffer.poolSize = shared
  }
}

const { UnicodeGraphemesAddon } = loadGraphemes()

/** A terminal without a scrollback, of which a family is one character. */
export function graphemeTerminal(options: ConstructorParameters<typeof xterm.Terminal>[0]): xterm.Terminal {
  const terminal = plainTerminal(options)
  terminal.loadAddon(new UnicodeGraphemesAddon())
  return terminal
}

/** A terminal without a scrollback that counts widths character by character. */
export function plainTerminal(options: ConstructorParameters<typeof xterm.Terminal>[0]): xterm.Terminal {
  return new xterm.Terminal({ allowProposedApi: true, scrollback: 0, ...options })
}
