import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../fs/parse-json.ts'
import { replaceFile } from '../../fs/replace-file.ts'

const placeSchema = z.object({ socket: z.string(), pid: z.number() })

/** Where the broker of a run says where it is. */
function placeFile(runDir: string): string {
  return join(runDir, 'mcp.json')
}

/** Tells every process of a run where its broker is. */
export function writeBrokerPlace(runDir: string, place: z.infer<typeof placeSchema>): void {
  replaceFile(placeFile(runDir), `${JSON.stringify(place)}\n`, 0o600)
}

/** The socket of a run's broker, or null when nobody has said where it is. */
export function brokerSocketOf(runDir: string): string | null {
  try {
    const { success, data } = placeSchema.safeParse(parseJson(readFileSync(placeFile(runDir), 'utf8')))
    return success ? data.socket : null
  } catch {
    return null
  }
}

/** The credential that a member shows to the broker: only who knows the run's key can make it. */
export function brokerCredential(runKey: string | Uint8Array, member: string): string {
  return createHmac('sha256', runKey).update(`mcp\0${member}`).digest('hex')
}
