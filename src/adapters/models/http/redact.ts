/** Texts that look like a key of any vendor. */
const keyLike = /\b(?:(?:sk|key|api|xox[bp])-(?=[\w-]*\d)[\w-]{12,}|gh[opsu]_[A-Za-z0-9]{30,}|AKIA[A-Z0-9]{16})/g

/**
 * The text without secrets: those that are named, and what looks like a key.
 *
 * `withoutSecrets('Incorrect key: hunter2hunter2', ['hunter2hunter2'])` → `Incorrect key: [redacted]`
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let clean = text
  for (const secret of secrets) if (secret.length > 7) clean = clean.replaceAll(secret, '[redacted]')
  return clean.replaceAll(keyLike, '[redacted]')
}
