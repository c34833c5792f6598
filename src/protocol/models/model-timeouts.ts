import { durationMs } from '../words/duration.ts'
import type { ModelTimeouts, TimeoutsSaid } from './model-servers.ts'

/** `modelTimeouts({ idle: '90s' })` → `{ idle_ms: 90000 }`. */
export function modelTimeouts(said: TimeoutsSaid): ModelTimeouts {
  return Object.fromEntries(
    Object.entries(said).flatMap(([name, text]) => (text === undefined ? [] : [[`${name}_ms`, durationMs(text)]])),
  )
}
