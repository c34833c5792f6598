import { join } from 'node:path'
import { saveRules } from '../../adapters/settings/save-rules.ts'
import { projectFolders } from '../../adapters/settings/settings-places.ts'
import { rememberTrust, workspaceOf } from '../../adapters/settings/trust-file.ts'

/** Rules that a person wants kept, and in whose settings. */
export interface KeptRules {
  readonly cwd: string
  readonly home: string
  readonly target: 'project' | 'local' | 'user'
  readonly list: 'allow' | 'ask' | 'deny'
  readonly rules: readonly string[]
}

/**
 * Writes rules that a person chose into a settings file of theirs. An allow rule in the workspace's files is trusted at
 * the same time: whoever writes it here has seen it.
 *
 * @returns the file, and the rules that were not in it before
 * @throws when the file cannot be read as settings or cannot be written
 * @example keepRules({ cwd, home, target: 'local', list: 'allow', rules: ['Bash(npm test:*)'] })
 */
export function keepRules({ cwd, home, target, list, rules }: KeptRules): {
  readonly path: string
  readonly added: readonly string[]
} {
  const [root = cwd] = projectFolders(cwd, home)
  const name = target === 'local' ? 'settings.local.json' : 'settings.json'
  const path = join(target === 'user' ? home : root, '.troupe', name)
  const added = saveRules({ path, list, rules })
  if (target !== 'user' && list === 'allow') rememberTrust(home, workspaceOf(cwd, home), rules)
  return { path, added }
}
