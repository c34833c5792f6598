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
  'diff',
] as const

export type PageView = (typeof views)[number]

/** The place that the address names: a run, a view of it, a member, and how many of its facts are looked at (all where null). */
export interface Place {
  readonly run: string | null
  readonly view: PageView
  readonly member: string | null
  readonly at: number | null
  /** The moment goes on by itself. */
  readonly plays: boolean
  /** How many times faster than it happened. */
  readonly speed: number
  /** The fact after which that ends; null for the last one. */
  readonly until: number | null
  /** The run beside which the diff shows this one. */
  readonly other: string | null
}

/** The list of all runs. */
export const allRuns: Place = {
  run: null,
  view: 'overview',
  member: null,
  at: null,
  plays: false,
  speed: 10,
  until: null,
  other: null,
}

/** @example placeOfHash('#/review-01J/transcript/ana?at=17') // { run: 'review-01J', view: 'transcript', member: 'ana', at: 17 } */
export function placeOfHash(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const [run = '', view = '', member = ''] = path.split('/').map(decoded)
  const asked = new URLSearchParams(query)
  const [at, until] = [countOf(asked.get('at')), countOf(asked.get('until'))]
  const plays = asked.has('play')
  const speed = Number(asked.get('play') ?? asked.get('speed'))
  return {
    run: run === '' ? null : run,
    view: views.find((each) => each === view) ?? 'overview',
    member: member === '' ? null : member,
    at: plays ? (at ?? 0) : at,
    plays,
    speed: Number.isFinite(speed) && speed > 0 ? speed : allRuns.speed,
    until,
    other: asked.get('with'),
  }
}

function countOf(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null
}

/** The place where the run plays, or plays no longer; from the present it begins anew. */
export function played(place: Place): Place {
  return place.plays ? { ...place, plays: false } : { ...place, plays: true, at: place.at ?? 0 }
}

/** The address of a place. */
export function hashOf({ run, view, member, at, plays, speed, until, other }: Place): string {
  if (run === null) return '#/'
  const path = [run, view, ...(member === null ? [] : [member])].map(encodeURIComponent).join('/')
  const chosen = speed === allRuns.speed ? {} : { speed }
  const playing = { ...(plays ? { play: speed } : chosen), ...(until !== null && { until }) }
  const asked = { ...(at !== null && { at }), ...playing, ...(other !== null && { with: other }) }
  const query = Object.entries(asked).map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
  return `#/${path}${query.length === 0 ? '' : `?${query.join('&')}`}`
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
