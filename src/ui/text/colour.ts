import { styleText } from 'node:util'

export type Tone = 'dim' | 'bold' | 'inverse' | 'red' | 'green' | 'yellow' | 'cyan'

/** Gives a text a tone, or leaves it as it is where colour does not belong. */
export type Paint = (tone: Tone, text: string) => string

/** Colour goes to terminals only, and not where `NO_COLOR` is set or the terminal is dumb. */
export function paintFor(stream: { isTTY?: boolean }, env: Readonly<Record<string, string | undefined>>): Paint {
  const coloured = stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  return coloured ? (tone, text) => styleText(tone, text, { validateStream: false }) : (_, text) => text
}

/** How a member's state is shown in one character, and in which tone. */
export const memberSigns = {
  not_started: ['·', 'dim'],
  starting: ['◌', 'dim'],
  idle: ['○', 'dim'],
  busy: ['●', 'green'],
  draining: ['◌', 'dim'],
  gone: ['✓', 'dim'],
  crashed: ['✗', 'red'],
} as const satisfies Readonly<Record<string, readonly [sign: string, tone: Tone]>>
