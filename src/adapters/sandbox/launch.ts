import { dirname } from 'node:path'
import type { SystemPrograms } from '../fs/system-programs.ts'
import type { Link } from './links.ts'
import { placeholderMode, placeholderTexts } from './placeholders.ts'

/*
 * Shell lines in front of a sandboxed command, in shells, because they have to live and die with the command's
 * processes. 1. The filter reaches bubblewrap through descriptor 9, as text of the command line: no file can be
 * exchanged for it. 2. Placeholders are made before the command and taken away behind it, unless another command
 * stands on them: each holds a shared lock of the directory, and only the one that gets the lock alone clears up.
 * Where that cannot be known they stay. 3. No mount holds a link in its place: one that a command exchanged is put back
 * behind it, and what took its place is kept beside it. 4. The bridge listens inside a network of its own and outside of the sandbox:
 * programs in the sandbox cannot touch it. The bridge ends when descriptor 5, which every process in the sandbox
 * inherits, is closed everywhere.
 */

const texts = Object.entries(placeholderTexts)

const outer = `own=$PATH PATH=$1; shift; trap : TERM INT; filter=$1 count=$2; shift 2; places=("\${@:1:count}"); shift "$count"
count=$1; shift; links=("\${@:1:count}"); shift "$count"
count=$1; shift; held=("\${@:1:count}"); shift "$count"; locks=() sure=1
for dir in "\${held[@]}"; do exec {lock}<"$dir" && flock -s -w 5 "$lock" || sure=; locks+=("$lock"); done 2>/dev/null
set -C; for place in "\${places[@]}"; do case "$place" in
${texts.map(([name, text]) => `*/${name}) printf '${text.replace('\n', '\\n')}' > "$place" ;;`).join('\n')}
*) mkdir -m ${placeholderMode.toString(8)} -- "$place" ;; esac; done 2>/dev/null; set +C
(for lock in "\${locks[@]}"; do exec {lock}<&-; done; trap - TERM INT; PATH=$own
if [ -n "$filter" ]; then exec "$@" 9< <(printf "$filter"); else exec "$@"; fi); status=$?
for lock in "\${locks[@]}"; do flock -n -x "$lock" || sure=; done 2>/dev/null
if [ "$sure" ]; then for ((at = \${#places[@]}; at--; )); do case "\${places[at]}" in
${texts.map(([name, text]) => `*/${name}) [ "$(<"\${places[at]}")" = '${text.trim()}' ] && rm -f -- "\${places[at]}" ;;`).join('\n')}
*) rmdir -- "\${places[at]}" ;; esac; done 2>/dev/null; fi
for ((at = 0; at < \${#links[@]}; at += 2)); do link=\${links[at]} to=\${links[at + 1]} dir=\${links[at]%/*}
if [ "$(readlink -- "$link")" != "$to" ]; then
[ "$(realpath -- "$dir")" = "$dir" ] && { mv -T -- "$link" "$link.replaced-$$"; ln -s -- "$to" "$link"; } 2>/dev/null
echo "The sandbox keeps $link as it was: what was put in its place is in $link.replaced-$$." >&2; fi; done
exit $status`

interface Preparation {
  readonly filter: Uint8Array | null
  readonly placeholders: readonly string[]
  /** Links that configure something. */
  readonly links: readonly Link[]
  /** A word that stands on the command line until the command ends. */
  readonly name?: string | undefined
  /** The programs that these lines start. */
  readonly system: SystemPrograms
}

/** The program that prepares what a sandbox needs, runs it, and clears up. */
export function launched(
  argv: readonly string[],
  { filter, placeholders, links, name, system }: Preparation,
): readonly [string, ...string[]] {
  const octal = filter === null ? '' : Array.from(filter, (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
  const held = [...new Set(placeholders.map((path) => dirname(path)))].filter((dir) => !placeholders.includes(dir))
  const counted = [placeholders, links.flatMap(({ path, to }) => [path, to]), held].flatMap((paths) => [
    String(paths.length),
    ...paths,
  ])
  return [...shell(outer, system, name), system.path, octal, ...counted, ...argv]
}

const port = 3128
const bridge = `const net = require('node:net')
process.stdin.on('end', () => process.exit()).resume()
net.createServer((near) => {
  const far = net.connect(process.argv[1])
  near.on('error', () => far.destroy()).on('close', () => far.destroy())
  far.on('error', () => near.destroy()).on('close', () => near.destroy())
  near.pipe(far).pipe(near)
}).listen(${port}, '127.0.0.1', () => console.log('ready'))`

const proxies = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY']
const bridged = `exec 4<> <(:); exec 5> >(exec "$1" -e "$2" "$3" >&4 4>&- 2>/dev/null 3>&- 9<&-)
read -t 10 -r _ <&4; exec 4>&-; shift 3
export ${proxies.map((name) => `${name}=http://127.0.0.1:${port}`).join(' ')}
export no_proxy=localhost,127.0.0.1,::1 NO_PROXY=localhost,127.0.0.1,::1 NODE_USE_ENV_PROXY=1; exec "$@"`

/**
 * The same command in a network without any way out but the proxy that listens at a socket of the file system.
 *
 * @param argv What makes the sandbox itself.
 * @param system The programs for it.
 */
export function behindProxy(
  argv: readonly string[],
  socket: string,
  system: SystemPrograms,
): readonly [string, ...string[]] {
  const network = '--unshare-user --unshare-net --die-with-parent --dev-bind / /'
  const bwrap = system.find('bwrap')
  return [bwrap, ...network.split(' '), '--', ...shell(bridged, system), process.execPath, bridge, socket, ...argv]
}

function shell(script: string, system: SystemPrograms, name = 'sandbox'): readonly [string, ...string[]] {
  return [system.find('bash'), '--noprofile', '--norc', '-c', script, name]
}
