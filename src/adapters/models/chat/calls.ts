import { chatVendor, type ChatCallSeal } from './rounds.ts'
import { argumentText, textFrom, type AnswerDraft, type Part } from '../served/draft.ts'

/** A piece of a call, as loosely as it must be taken. */
export interface CallPiece {
  readonly index?: number | string | null
  readonly id?: unknown
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null
  /** Gemini's signature of the thought that led to the call; it refuses a conversation in which it is missing. */
  readonly extra_content?: unknown
}

type Call = Extract<Part, { kind: 'call' }>

/** The calls of an answer, in the order they began. */
export interface CallList {
  /** Takes the pieces of one chunk. */
  take(pieces: readonly (CallPiece | null)[]): void
}

/**
 * Puts the pieces of calls together. Servers differ:
 *
 * 1. The index may be missing, a text, or the same for every call; beside each other, place tells calls apart.
 *    A piece that has nothing but arguments goes on with the call begun last, one with an id with the call of that id.
 * 2. A new id with a name is a new call; so is a name where the arguments before are whole and no id says otherwise.
 * 3. A name may come in pieces, again with every piece, or after arguments. A call without a name and without arguments
 *    is none.
 */
export function callList({ parts }: AnswerDraft): CallList {
  const all: Call[] = []
  const open = new Map<number, Call>()
  let latest = 0
  const begin = (place: number): Call => {
    const call: Call = { kind: 'call', id: '', name: '', args: '', done: false }
    parts.set(all.length, call)
    all.push(call)
    open.set(place, call)
    latest = place
    return call
  }
  const placeOf = (piece: CallPiece, at: number): number => {
    if (piece.index !== undefined && piece.index !== null) return Number(piece.index)
    return isBare(piece) && at === 0 ? latest : at
  }
  return {
    take(pieces) {
      for (const [at, piece] of pieces.entries()) {
        if (!piece) continue
        const place = placeOf(piece, at)
        const known = open.get(place)
        if (!known && isEmpty(piece)) continue
        add(sameCall(all, piece) ?? (known && !isAnother(known, piece) ? known : begin(place)), piece)
      }
    },
  }
}

/** Without an index, the id of a call that has begun says whose piece it is. */
function sameCall(all: readonly Call[], { index, id }: CallPiece): Call | undefined {
  if ((index !== undefined && index !== null) || idIn(id) === '') return undefined
  return all.findLast((call) => call.id === idIn(id))
}

function isBare({ id, function: named }: CallPiece): boolean {
  return idIn(id) === '' && textFrom(named?.name) === ''
}

function isEmpty({ function: named }: CallPiece): boolean {
  return textFrom(named?.name) === '' && argumentText(named?.arguments) === ''
}

function isAnother(known: Call, { id, function: named }: CallPiece): boolean {
  if (textFrom(named?.name) === '') return false
  if (known.id !== '' && idIn(id) !== '') return known.id !== idIn(id)
  return known.name !== '' && idIn(id) === '' && isWhole(known.args) && argumentText(named?.arguments) !== ''
}

function add(call: Call, { id, function: named, extra_content }: CallPiece): void {
  if (extra_content) call.opaque = { vendor: chatVendor, extra_content } satisfies ChatCallSeal
  const name = textFrom(named?.name)
  if (call.id === '') call.id = idIn(id)
  if (call.name === '' || (name !== call.name && call.args === '')) call.name += name
  call.args += argumentText(named?.arguments)
}

function idIn(id: unknown): string {
  return typeof id === 'number' ? String(id) : textFrom(id)
}

function isWhole(args: string): boolean {
  try {
    return args !== '' && JSON.parse(args) !== undefined
  } catch {
    return false
  }
}
