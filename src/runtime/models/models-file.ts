import { join } from 'node:path'

/** Where a person keeps what they know of models. */
export function modelsFileOf(home: string): string {
  return join(home, '.troupe', 'models.json')
}
