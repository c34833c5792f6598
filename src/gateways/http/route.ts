import { basename } from 'node:path'
import { z } from 'zod'
import type { ResolvedTeam } from '../../protocol/team/team-card.ts'
import { runDirectoriesIn } from '../../runtime/runs/answer-approval.ts'
import type { ServerScope } from '../../runtime/settings/server-tokens.ts'
import { Refusal } from './refusal.ts'

/** The surroundings of a server of runs. */
export interface RunPlace {
  readonly cwd: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly policyRoot: string
  readonly version: string
  /** Loads a team by its name. */
  load(team: string): Promise<ResolvedTeam>
}

/** A request whose parts are checked already. */
export interface Asked {
  readonly place: RunPlace
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  /** A person asks from a page, not a program. */
  readonly isPage: boolean
}

/** One line of the interface: the server, its checks and its description are made of it. */
export interface Route {
  readonly method: 'get' | 'post'
  /** With `{name}` for what varies. */
  readonly path: string
  readonly scope: ServerScope
  readonly summary: string
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** The media type of the answer (default: JSON). */
  readonly media?: string
  /** Absent where the server itself answers: a stream. */
  answer?(asked: Asked): unknown
}

/** A route whose body is known by its schema. */
export function withBody<Body extends z.ZodType>(
  route: Omit<Route, 'body' | 'answer'>,
  body: Body,
  answer: (body: z.infer<Body>, asked: Asked) => unknown,
): Route {
  return { ...route, body, answer: (asked) => answer(asked.body as z.infer<Body>, asked) }
}

/**
 * The directory of a run that a request names by its whole id: no path, no beginning of an id.
 * @throws Refusal when there is none here
 */
export function directoryOf({ place, params }: Pick<Asked, 'place' | 'params'>): string {
  const id = params['run'] ?? ''
  const dir = runDirectoriesIn(place.cwd).find((each) => basename(each) === id)
  if (dir === undefined) throw new Refusal(404, 'no_run', `there is no run ${JSON.stringify(id)}`)
  return dir
}

/** The member that a query names; absent for all. */
export const ofMember = z.strictObject({ member: z.string().optional() })
