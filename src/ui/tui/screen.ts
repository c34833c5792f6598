import { Box, Text, useInput, usePaste } from 'ink'
import { createElement, memo, type ReactNode } from 'react'
import { strokesOf, type Stroke } from './keys.ts'
import type { Layout, Panel } from './layout.ts'

/** What is heard from the keyboard. */
export interface Keyboard {
  pressed(stroke: Stroke): void
  pasted(text: string): void
}

/** The whole screen, drawn from lines that fit already. */
export function screen(layout: Layout, rows: number, keyboard: Keyboard): ReactNode {
  return createElement(
    Box,
    { flexDirection: 'column', height: rows },
    createElement(Keys, { keyboard }),
    ...layout.rows.map(({ height, panels }, n) =>
      createElement(
        Box,
        { key: `row ${n}`, height, flexShrink: 0 },
        ...panels.flatMap((panel, m) => besides(panel, m, height)),
      ),
    ),
    ...layout.bars.map((text, n) => createElement(Line, { key: `bar ${n}`, text })),
  )
}

function besides({ key, width, lines }: Panel, index: number, height: number): readonly ReactNode[] {
  const between = Array.from({ length: height }, () => '│').join('\n')
  const panel = createElement(
    Box,
    { key, width, height, flexShrink: 0 },
    createElement(Line, { text: lines.join('\n') }),
  )
  return index === 0 ? [panel] : [createElement(Text, { key: `${key} │`, dimColor: true }, between), panel]
}

/** Lines fit already: Ink is not asked to clip them, which costs as much again. */
const Line = memo(function Line({ text }: { readonly text: string }): ReactNode {
  return createElement(Text, { wrap: 'truncate' }, text)
})

const Keys = memo(function Keys({ keyboard }: { readonly keyboard: Keyboard }): ReactNode {
  useInput((input, key) => {
    if (key.eventType === 'release') return
    for (const stroke of strokesOf(input, key)) keyboard.pressed(stroke)
  })
  usePaste(keyboard.pasted)
  return null
})
