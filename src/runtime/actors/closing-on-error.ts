/** Opens something; what was opened before it is closed again when that fails. */
export function closingOnError<Opened>(close: () => void, open: () => Opened): Opened {
  try {
    return open()
  } catch (error) {
    close()
    throw error
  }
}
