/** The JSON value of a text, or undefined when the text is no JSON: for files that others may have written. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
