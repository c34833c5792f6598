import { pair } from './pair.ts'
import { research } from './research.ts'
import { review } from './review.ts'
import type { Scene } from './scene.ts'
import { solo } from './solo.ts'

/** One scene for each team that needs a model, in the order of the documentation. */
export const scenes: readonly Scene[] = [solo, pair, review, research]
