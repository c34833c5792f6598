import { durationMs } from '../words/duration.ts'
import type { ModelTimeouts } from './model-servers.ts'

interface TimeoutsSaid {
  readonly first_byte?: string | undefined
  readonly idle?: string | undefined
}

/** `modelTimeouts({ idle: '90s' })` → `{ idle_ms: 90000 }`. */
export function modelTimeouts({ first_byte, idle }: TimeoutsSaid): ModelTimeouts {
  return {
    ...(first_byte === undefined ? {} : { first_byte_ms: durationMs(first_byte) }),
    ...(idle === undefined ? {} : { idle_ms: durationMs(idle) }),
  }
}
