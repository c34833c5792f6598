import { styleText } from 'node:util'
import type { Paint, Tone } from './terminal-text.ts'

/** The looks of a screen: for a dark background, for a light one, and without colours. */
export const themes = ['dark', 'light', 'none'] as const
export type Theme = (typeof themes)[number]

type Env = Readonly<Record<string, string | undefined>>

/** Colours of the 256 that can be read on white, where the usual ones are too pale. */
const onWhite: Partial<Readonly<Record<Tone, number>>> = {
  dim: 243,
  red: 160,
  green: 28,
  yellow: 130,
  blue: 25,
  cyan: 30,
  magenta: 90,
}

/**
 * The theme that was wished, else the one in `TROUPE_THEME`, else the one that fits the background in `COLORFGBG`.
 * @example themeOf(undefined, { COLORFGBG: '0;15' }) // 'light'
 */
export function themeOf(wished: Theme | undefined, env: Env): Theme {
  const named = themes.find((theme) => theme === env['TROUPE_THEME'])
  const background = /;(\d+)$/.exec(env['COLORFGBG'] ?? '')?.[1]
  return wished ?? named ?? (background === '7' || background === '15' ? 'light' : 'dark')
}

/** The tones of a theme. Without colours signs and brackets tell what colours tell. */
function themed(theme: Theme): Paint {
  if (theme === 'none') return (_, text) => text
  return (tone, text) => {
    const colour = theme === 'light' ? onWhite[tone] : undefined
    if (colour === undefined) return styleText(tone, text, { validateStream: false })
    return `\u001b[38;5;${colour}m${text}\u001b[39m`
  }
}

/**
 * Colour goes to terminals only, and not where `NO_COLOR` is set or the terminal is dumb.
 * @param theme default: the one that fits the terminal
 */
export function paintFor(
  stream: { isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
  theme?: Theme,
): Paint {
  const coloured = stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  return themed(coloured ? themeOf(theme, env) : 'none')
}
