import { Writable, type Readable } from 'node:stream'
import { render, useInput, usePaste } from 'ink'
import { createElement } from 'react'
import { strokesOf, type Stroke } from './keys.ts'

/** Callbacks for the keyboard. */
export interface Keyboard {
  pressed(stroke: Stroke): void
  pasted(text: string): void
}

/**
 * Hears a terminal's keys, as Ink reads them. Ink draws nothing: making its cells of lines and lines of its cells costs
 * ten times what a frame costs here.
 * @returns how to stop
 */
export function openKeyboard(stdin: Readable, keyboard: Keyboard): () => Promise<void> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const ink = render(createElement(Keys, { keyboard }), {
    stdin: stdin as NodeJS.ReadStream,
    stdout: nowhere as unknown as NodeJS.WriteStream,
    interactive: true,
    exitOnCtrlC: false,
    patchConsole: false,
  })
  return async () => {
    ink.unmount()
    await ink.waitUntilExit()
  }
}

function Keys({ keyboard }: { readonly keyboard: Keyboard }): null {
  useInput((input, key) => {
    if (key.eventType === 'release') return
    for (const stroke of strokesOf(input, key)) keyboard.pressed(stroke)
  })
  usePaste(keyboard.pasted)
  return null
}
