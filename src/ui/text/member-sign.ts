import type { Tone } from './colour.ts'

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
