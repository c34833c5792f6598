import type { Below } from './reach.ts'

/** An argument of a command that may name a file. */
export interface Operand {
  /** As written after quote removal, not yet absolute. */
  readonly path: string
  readonly access: 'read' | 'edit'
  /** Stands for whatever files match. */
  readonly glob: boolean
  /** More likely a search pattern or program than a file: protects, but proves nothing. */
  readonly loose: boolean
  readonly below?: Below
  /** The value of an option that is not known to be read. */
  readonly told?: true
  /** git reads the name from the top of the repository that is found from one of these places. */
  readonly fromTop?: readonly string[]
}
