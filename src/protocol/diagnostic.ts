/** One mistake in a file of ours, with its place and its cure (`check --json`, DESIGN §15). */
export interface Diagnostic {
  readonly severity: 'error' | 'warning'
  /** Short and stable, e.g. `unknown_key`. */
  readonly code: string
  readonly message: string
  readonly file: string
  /** 1-based; 1:1 where the file has no place to point at. */
  readonly line: number
  readonly column: number
  readonly hint?: string
}
