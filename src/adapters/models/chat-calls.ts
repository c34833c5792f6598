import { argumentText, textIn, type Draft, type Part } from './draft.ts'

/** A piece of a call, as loosely as it must be taken. */
export interface CallPiece {
  readonly index?: number | string | null
  readonly id?: unknown
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null
}

type Call = Extract<Part, { kind: 'call' }>

/** The calls of an answer, in the order they began. */
export interface CallList {
  /** Takes the pieces of one chunk. */
  take(pieces: readonly CallPiece[]): void
}

/**
 * Puts the pieces of calls together. Servers differ:
 *
 * 1. The index may be missing, a text, or the same for every call; beside each other, place tells calls apart.
 * 2. A new id with a name is a new call; so is a name where the arguments before are whole and no id says otherwise.
 * 3. A name may come in pieces, or again with every piece. A call without a name and without arguments is none.
 */
export function callList({ parts }: Draft): CallList {
  const all: Call[] = []
  const open = new Map<number, Call>()
  const begin = (place: number): Call => {
    const call: Call = { kind: 'call', id: '', name: '', args: '', done: false }
    parts.set(all.length, call)
    all.push(call)
    open.set(place, call)
    return call
  }
  return {
    take(pieces) {
      for (const [at, piece] of pieces.entries()) {
        const place = Number(piece.index ?? at)
        const known = open.get(place)
        if (!known && isEmpty(piece)) continue
        add(known && !isAnother(known, piece) ? known : begin(place), piece)
      }
    },
  }
}

function isEmpty({ function: named }: CallPiece): boolean {
  return textIn(named?.name) === '' && argumentText(named?.arguments) === ''
}

function isAnother(known: Call, { id, function: named }: CallPiece): boolean {
  if (textIn(named?.name) === '') return false
  if (known.id !== '' && idIn(id) !== '') return known.id !== idIn(id)
  return idIn(id) === '' && isWhole(known.args) && argumentText(named?.arguments) !== ''
}

function add(call: Call, { id, function: named }: CallPiece): void {
  const name = textIn(named?.name)
  if (call.id === '') call.id = idIn(id)
  if (name !== call.name && call.args === '') call.name += name
  call.args += argumentText(named?.arguments)
}

function idIn(id: unknown): string {
  return typeof id === 'number' ? String(id) : textIn(id)
}

function isWhole(args: string): boolean {
  try {
    return args !== '' && JSON.parse(args) !== undefined
  } catch {
    return false
  }
}
