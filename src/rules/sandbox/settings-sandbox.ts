import type { SandboxSettings } from '../../protocol/permissions/settings.ts'

/**
 * Two levels of sandbox settings as one, `first` the stronger: what both say with one word is said by the first, lists
 * are joined, and what closes (`enabled`, `failIfUnavailable`) is closed when either wants it.
 */
export function joinSandboxes(first: SandboxSettings, second: SandboxSettings): SandboxSettings {
  const closed = {
    ...(first.enabled || second.enabled ? { enabled: true } : {}),
    ...(first.failIfUnavailable || second.failIfUnavailable ? { failIfUnavailable: true } : {}),
    ...(first.allowUnsandboxedCommands === false || second.allowUnsandboxedCommands === false
      ? { allowUnsandboxedCommands: false }
      : {}),
  }
  return {
    ...second,
    ...first,
    ...closed,
    ...joined('excludedCommands', first, second),
    filesystem: {
      ...joined('allowWrite', first.filesystem, second.filesystem),
      ...joined('denyWrite', first.filesystem, second.filesystem),
      ...joined('denyRead', first.filesystem, second.filesystem),
      ...joined('allowRead', first.filesystem, second.filesystem),
    },
    network: {
      ...second.network,
      ...first.network,
      ...joined('allowedDomains', first.network, second.network),
      ...joined('deniedDomains', first.network, second.network),
    },
  }
}

/** The part of sandbox settings that only forbids: what a file that is not believed may still say. */
export function closingSandbox(sandbox: SandboxSettings): SandboxSettings {
  const { enabled, failIfUnavailable, allowUnsandboxedCommands, filesystem, network } = sandbox
  const { denyRead, denyWrite } = filesystem ?? {}
  const { deniedDomains } = network ?? {}
  return {
    ...(enabled ? { enabled } : {}),
    ...(failIfUnavailable ? { failIfUnavailable } : {}),
    ...(allowUnsandboxedCommands === false ? { allowUnsandboxedCommands } : {}),
    filesystem: { ...(denyRead ? { denyRead } : {}), ...(denyWrite ? { denyWrite } : {}) },
    network: deniedDomains ? { deniedDomains } : {},
  }
}

/** The settings that open something, as a person is shown them before trusting a workspace; null when all of them forbid. */
export function openingSandbox(sandbox: SandboxSettings): string | null {
  const { enabled, autoAllowBashIfSandboxed, allowUnsandboxedCommands, excludedCommands, filesystem, network } = sandbox
  const opening = {
    ...(enabled === false ? { enabled } : {}),
    ...(autoAllowBashIfSandboxed ? { autoAllowBashIfSandboxed } : {}),
    ...(allowUnsandboxedCommands ? { allowUnsandboxedCommands } : {}),
    ...(excludedCommands?.length ? { excludedCommands } : {}),
    ...(filesystem?.allowRead?.length ? { allowRead: filesystem.allowRead } : {}),
    ...(filesystem?.allowWrite?.length ? { allowWrite: filesystem.allowWrite } : {}),
    ...(network?.allowedDomains?.length ? { allowedDomains: network.allowedDomains } : {}),
    ...(network?.allowAllUnixSockets ? { allowAllUnixSockets: true } : {}),
  }
  return Object.keys(opening).length === 0 ? null : JSON.stringify(opening)
}

function joined<Key extends string>(
  key: Key,
  first: Partial<Record<Key, string[] | undefined>> | undefined,
  second: Partial<Record<Key, string[] | undefined>> | undefined,
): Partial<Record<Key, string[]>> {
  const all = [...(first?.[key] ?? []), ...(second?.[key] ?? [])]
  if (all.length === 0) return {}
  return { [key]: [...new Set(all)] } as Partial<Record<Key, string[]>>
}
