type Detail = Readonly<Record<string, unknown>>

/**
 * Pieces of `reasoning_details` put together: those of one index and type are one, their texts joined.
 * The server checks signatures over them, so nothing else is changed.
 */
export function mergedDetails(before: readonly Detail[], pieces: readonly Detail[]): readonly Detail[] {
  const merged = [...before]
  for (const piece of pieces) {
    const place = merged.findLastIndex((known) => known['index'] === piece['index'] && known['type'] === piece['type'])
    const known = merged[place]
    if (known) merged[place] = joined(known, piece)
    else merged.push(piece)
  }
  return merged
}

function joined(known: Detail, piece: Detail): Detail {
  const texts = ['text', 'summary', 'data'].flatMap((key) => {
    const [before, more] = [known[key], piece[key]]
    return typeof before === 'string' && typeof more === 'string' ? [[key, before + more] as const] : []
  })
  const told = Object.entries(piece).filter(([, value]) => value !== null)
  return { ...known, ...Object.fromEntries<unknown>([...told, ...texts]) }
}
