type Detail = Readonly<Record<string, unknown>>

/**
 * Pieces of `reasoning_details` put together: those of one index, type and id are one, their texts joined.
 * The server checks signatures over them, so nothing else is changed.
 */
export function mergedDetails(before: readonly Detail[], pieces: readonly Detail[]): readonly Detail[] {
  const merged = [...before]
  for (const piece of pieces) {
    const place = merged.findLastIndex((known) => isSame(known, piece))
    const known = merged[place]
    if (known) merged[place] = joined(known, piece)
    else merged.push(piece)
  }
  return merged
}

/** Under one index there may be a piece for each of several calls. */
function isSame(known: Detail, piece: Detail): boolean {
  const isOther = Boolean(known['id']) && Boolean(piece['id']) && known['id'] !== piece['id']
  return !isOther && known['index'] === piece['index'] && known['type'] === piece['type']
}

function joined(known: Detail, piece: Detail): Detail {
  const texts = ['text', 'summary', 'data'].flatMap((key) => {
    const [before, more] = [known[key], piece[key]]
    if (typeof before !== 'string' || typeof more !== 'string') return []
    return [[key, key === 'data' && before === more ? more : before + more] as const]
  })
  const told = Object.entries(piece).filter(([, value]) => value !== null)
  return { ...known, ...Object.fromEntries<unknown>([...told, ...texts]) }
}
