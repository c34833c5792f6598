/** One mistake in a file of ours, with its place and its cure (`check --json`). */
export interface Diagnostic {
  readonly severity: 'error' | 'warning'
  /** Short and stable, e.g. `unknown_key`. */
  readonly code: string
  readonly message: string
  /** As it was named; `--model` or `TROUPE_MODEL` for a mistake in what they say. */
  readonly file: string
  /** 1-based; 1:1 where the file has no place to point at. */
  readonly line: number
  readonly column: number
  /** Of a team that is no file: the key path, `workers.ana.tools[1]`. */
  readonly path?: string
  readonly hint?: string
}
