import { z } from 'zod'

/** How long, as people write it: a number and its unit. */
export const durationSchema = z.string().regex(/^\d+(ms|s|m|h)$/, 'must be a duration such as 30s, 10m or 2h')
