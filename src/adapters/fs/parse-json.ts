/** What a text says as JSON, or undefined when it is none: for files that others may have written. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
