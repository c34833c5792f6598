import type { WorkerPlace } from '../../adapters/executors/place.ts'
import type { Middleware } from '../../protocol/middleware.ts'
import type { Providers } from '../../protocol/models/model.ts'
import type { Tool } from '../../protocol/tools/tool.ts'

/** Parts of a program that its teams use by name, beside the built-in ones. Each has a name that no built-in one has. */
export interface Extensions {
  readonly tools?: readonly Tool[]
  /** Models by provider: `{ acme }` opens what teams call `acme/…`. */
  readonly providers?: Providers
  /** Places for workers: `{ box }` is where those with `executor: box` run. */
  readonly executors?: Readonly<Record<string, WorkerPlace>>
  /** Code around the work of members in this process, outside of that which team files name; the first is the outermost. */
  readonly middleware?: readonly Middleware[]
}
