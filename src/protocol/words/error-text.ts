/** A thrown value in words for a reader: `errorText(new Error('disk full'))` → `disk full`. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
