import { anthropicComplaints } from './anthropic.ts'
import { chatComplaints } from './chat.ts'
import type { Complaints } from './complaint.ts'
import { responsesComplaints } from './responses.ts'

/** What each API refuses, by the path it is asked at. */
const judges: readonly (readonly [RegExp, (text: string) => Complaints])[] = [
  [/\/messages$/, anthropicComplaints],
  [/\/chat\/completions$/, chatComplaints],
  [/\/responses$/, responsesComplaints],
]

/** What the vendor whose path this is has against a request. */
export function complaintsAt(path: string, text: string): Complaints {
  const judge = judges.find(([pattern]) => pattern.test(path))?.[1]
  return judge ? judge(text) : [`nobody listens at ${path}`]
}
