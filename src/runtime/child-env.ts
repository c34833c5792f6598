/** Names that carry secrets: keys reach neither tools nor their children. */
const secret = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(_|$)/i

/** The environment that tools may pass on: this process's own, without anything that looks like a credential. */
export function childEnv(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const kept = Object.entries(env).filter(([name, value]) => value !== undefined && !secret.test(name))
  return Object.fromEntries(kept) as Record<string, string>
}
