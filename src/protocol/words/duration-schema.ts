import { z } from 'zod'

/** How long, as people write it: a number and its unit. */
export const durationSchema = z.string().regex(/^\d+(ms|s|m|h)$/, 'must be a duration such as 30s, 10m or 2h')

/** The same for what would be over before it began if it were nothing: a wait, a lease, a limit of time. */
export const spanSchema = z
  .string()
  .regex(/^0*[1-9]\d*(ms|s|m|h)$/, 'must be a duration longer than nothing, such as 30s, 10m or 2h')
