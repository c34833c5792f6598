/** How far a run's coordinator is from the first one, and how far anybody may be. */
export interface Nesting {
  readonly depth: number
  readonly limit: number
}

/** A run inside of runs that could not start a single worker. */
export class RunTooDeep extends Error {
  constructor({ depth, limit }: Nesting) {
    super(
      `this run would be started by a member of another run, and its workers ${depth + 1} starts away from the first coordinator; ${limit} are allowed (limits.depth of the team that runs around it)`,
    )
    this.name = 'RunTooDeep'
  }
}
