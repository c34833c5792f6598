/** A denial that no rule lifts, or a question that rules cannot answer with yes. */
export interface BoundsVerdict {
  readonly behavior: 'deny' | 'ask'
  /** Holds in `bypassPermissions` as well. */
  readonly always: boolean
  readonly reason: string
  readonly path?: string
}
