import { isInside } from '../paths/path-inside.ts'
import type { SandboxPlan } from './sandbox-plan.ts'

/*
 * The profile of a sandbox plan for the Seatbelt of macOS. Of several rules about one path the last one holds. What is
 * not allowed is denied: above all to ask other programs (Apple events, launchd, the opening of documents) to do
 * what the command may not do itself.
 */

const start = `(version 1)
(deny default)
(allow process-exec process-fork)
(allow signal process-info* (target same-sandbox))
(allow sysctl-read ipc-posix-sem)
(allow mach-lookup
  (global-name "com.apple.system.opendirectoryd.libinfo")
  (global-name "com.apple.system.logger")
  (global-name "com.apple.system.notification_center")
  (global-name "com.apple.SecurityServer")
  (global-name "com.apple.trustd.agent"))
(allow pseudo-tty)
(allow file-read* file-test-existence file-map-executable)
(allow file-write-data file-ioctl
  (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (literal "/dev/ptmx") (subpath "/dev/fd")
  (regex #"^/dev/ttys[0-9]+$"))`

/**
 * A sandbox plan as the profile that `sandbox-exec -p` takes.
 *
 * @param plan Its paths are absolute and real: Seatbelt sees no links.
 * @example seatbeltProfile({ ...plan, writable: ['/repo'] }).includes('(allow file-write* file-link\n  (subpath "/repo"))')
 */
export function seatbeltProfile(plan: SandboxPlan): string {
  const { writable, readOnly, pinned = [], reopened = [], hidden, shown } = plan
  const stillClosed = readOnly.filter((path) => reopened.some((dir) => isInside(dir, path)))
  const fixed = [...pinned, ...between([...readOnly, ...pinned, ...hidden], [...writable, ...reopened])]
  return [
    start,
    rule('allow file-write* file-link', 'subpath', writable),
    rule('deny file-write* file-link', 'subpath', readOnly),
    rule('allow file-write* file-link', 'subpath', reopened),
    rule('deny file-write* file-link', 'subpath', stillClosed),
    // Renaming a directory would take away the names of what is closed in it.
    rule('deny file-write-unlink', 'literal', fixed),
    rule('deny file-read* file-write* file-link', 'subpath', hidden),
    rule('allow file-read*', 'subpath', shown),
    ...networkRules(plan),
  ]
    .filter((text) => text !== '')
    .join('\n')
    .concat('\n')
}

function networkRules({ network, unixSockets }: SandboxPlan): readonly string[] {
  return [
    ...(network === 'open' ? ['(allow system-socket network-bind network-inbound network-outbound)'] : []),
    // The wider rule above holds for the sockets of this machine as well.
    unixSockets
      ? '(allow system-socket)\n(allow network-bind network-outbound (subpath "/"))'
      : '(deny network-bind network-inbound network-outbound (subpath "/"))',
  ]
}

function rule(what: string, kind: 'subpath' | 'literal', paths: readonly string[]): string {
  const places = [...new Set(paths)].map((path) => `\n  (${kind} ${quoted(path)})`)
  return places.length === 0 ? '' : `(${what}${places.join('')})`
}

/** No character of a path ends its text, or begins another rule. */
function quoted(path: string): string {
  return `"${path.replaceAll('\\', String.raw`\\`).replaceAll('"', String.raw`\"`)}"`
}

/** The directories between closed paths and the writable ones that they lie in, these among them. */
function between(closed: readonly string[], writable: readonly string[]): readonly string[] {
  const found = new Set<string>()
  for (const path of closed) {
    for (const dir of writable.filter((each) => each !== path && isInside(each, path))) {
      for (let at = path; at.length > dir.length;) found.add((at = at.slice(0, at.lastIndexOf('/')) || '/'))
    }
  }
  return [...found]
}
