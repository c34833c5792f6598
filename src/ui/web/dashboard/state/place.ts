/** The views of a run, in the order of their keys. */
export const views = [
  'overview',
  'transcript',
  'questions',
  'chart',
  'messages',
  'timeline',
  'cost',
  'board',
  'logs',
] as const

export type PageView = (typeof views)[number]

/** The place that the address names: a run, a view of it, a member, and how many of its facts are looked at (all where null). */
export interface Place {
  readonly run: string | null
  readonly view: PageView
  readonly member: string | null
  readonly at: number | null
}

/** @example placeOfHash('#/review-01J/transcript/ana?at=17') // { run: 'review-01J', view: 'transcript', member: 'ana', at: 17 } */
export function placeOfHash(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const [run = '', view = '', member = ''] = path.split('/').map(decoded)
  const at = Number(new URLSearchParams(query).get('at') ?? Number.NaN)
  return {
    run: run === '' ? null : run,
    view: views.find((each) => each === view) ?? 'overview',
    member: member === '' ? null : member,
    at: Number.isSafeInteger(at) && at >= 0 ? at : null,
  }
}

/** The address of a place. */
export function hashOf({ run, view, member, at }: Place): string {
  if (run === null) return '#/'
  const path = [run, view, ...(member === null ? [] : [member])].map(encodeURIComponent).join('/')
  return `#/${path}${at === null ? '' : `?at=${at}`}`
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
