import type { FileListing, FileTrouble, Filesystem, ListedEntry, OpenFile } from '../../../protocol/tools/filesystem.ts'
import { childEnv } from '../../process/child-env.ts'
import { runCommand, type CommandEnd } from '../../process/run-command.ts'
import { contentHash } from '../../fs/content-hash.ts'
import { movedPath } from '../../fs/file-trouble.ts'

/*
 * Files behind a command: those of a container or of another machine.
 * Owns: the scripts that are run there, by any POSIX shell with base64, readlink and sha256sum. Never: touches a file of this machine.
 * 1. Contents travel as base64, so that no byte is lost on the way.
 * 2. A file is replaced in one step, where its content is the one that the caller saw.
 * 3. A path that leads elsewhere than it says is refused: nobody can look there before permission is given.
 */

/** Exit codes of the scripts, and their meaning. */
const ends: Readonly<Record<number, Omit<FileTrouble, 'trouble'> & { readonly words: string }>> = {
  44: { words: 'does not exist.', why: 'absent' },
  45: { words: 'is a directory; use LS.', why: 'other' },
  46: { words: 'is not a regular file.', why: 'other' },
  47: { words: 'is larger than 64 MiB; look at it with Bash.', why: 'other' },
  48: { words: 'has changed since it was read: read it again.', why: 'changed' },
  49: { words: 'is not a directory.', why: 'other' },
}

const reading = `[ -e "$1" ] || exit 44; [ ! -d "$1" ] || exit 45; [ -f "$1" ] || exit 46
[ "$(wc -c < "$1")" -le 67108864 ] || exit 47; real=$(readlink -f -- "$1") && printf '%s\\000' "$real" && base64 < "$1"`

/** $2: the hash of the content that goes, empty for none; $3: where the path has to lead, or empty. */
const replacing = `set -e; d=$(dirname -- "$1"); mkdir -p -- "$d"; real=$(readlink -f -- "$d")/$(basename -- "$1"); now=
if [ -e "$1" ]; then [ -f "$1" ] || exit 46; real=$(readlink -f -- "$1"); now=$(sha256sum < "$1" | cut -c1-64); fi
printf '%s' "$real"; [ -z "$3" ] || [ "$3" = "$real" ] || exit 50; [ "$now" = "$2" ] || exit 48
t=$(dirname -- "$real")/.troupe-$$.tmp; trap 'rm -f -- "$t"' EXIT; [ -z "$now" ] || cp -p -- "$real" "$t"
base64 -d > "$t"; if [ -n "$now" ]; then mv -f -- "$t" "$real"; else ln -- "$t" "$real" || exit 48; fi`

const listing = `[ -e "$1" ] || exit 44; [ -d "$1" ] || exit 49; real=$(readlink -f -- "$1"); printf '%s\\000' "$real"; cd -- "$1" || exit 49
for f in * .[!.]* ..?*; do [ -e "$f" ] || [ -L "$f" ] || continue; to=
if [ -L "$f" ]; then k=link; to=$(readlink -- "$f"); elif [ -d "$f" ]; then k=directory; elif [ -f "$f" ]; then k=file; else k=other; fi
printf '%s\\000%s\\000%s\\000' "$k" "$f" "$to"; done`

/**
 * Files that a command reaches, and the place where Bash runs, such as a container's.
 *
 * @param command the words before a program that is to run there: it takes each word as one, and passes on what it reads
 * @param env of which the command gets what programs need to run
 * @returns a backend in which a path that leads through links elsewhere is refused
 * @example createAgent({ model, cwd: '/work', files: commandFilesystem(['docker', 'exec', '-i', 'box'], process.env), tools: [Read, Edit, Bash] })
 */
export function commandFilesystem(
  command: readonly [string, ...string[]],
  env: Readonly<Record<string, string | undefined>>,
): Filesystem {
  const run = runningBy(command, childEnv(env))
  return {
    elsewhere: { command },
    async open(path, led) {
      const { end, out } = await run(reading, [path])
      if (end.exitCode !== 0) return troubleIn(end, path)
      const [real = '', content = ''] = out.split('\0')
      if (led !== undefined && led !== real) return movedPath(path, led, real)
      return opened(real, Buffer.from(content, 'base64'))
    },
    async replace(path, { content, before, led }) {
      const { end, out } = await run(
        replacing,
        [path, before ?? '', led ?? ''],
        Buffer.from(content).toString('base64'),
      )
      if (end.exitCode === 50 && led !== undefined) return movedPath(path, led, out)
      return end.exitCode === 0 ? { real: out, hash: contentHash(content) } : troubleIn(end, path)
    },
    async list(path, led) {
      const { end, out } = await run(listing, [path])
      const [real = '', ...words] = out.split('\0')
      if (end.exitCode !== 0) return troubleIn(end, path)
      return led !== undefined && led !== real ? movedPath(path, led, real) : listed(words)
    },
  }
}

/** Runs scripts by a command, with words and an input. */
function runningBy(command: readonly [string, ...string[]], env: Readonly<Record<string, string>>) {
  return async (script: string, words: readonly string[], input = ''): Promise<Ran> => {
    const out: string[] = []
    const end = await runCommand([...command, 'sh', '-c', script, 'sh', ...words], {
      cwd: '/',
      env,
      signal: new AbortController().signal,
      input,
      onOutput: (text) => out.push(text),
    })
    return { end, out: out.join('') }
  }
}

interface Ran {
  readonly end: CommandEnd
  readonly out: string
}

function troubleIn({ exitCode, failure, errors }: CommandEnd, path: string): FileTrouble {
  const known = ends[exitCode ?? -1]
  if (known !== undefined) return { trouble: `${path} ${known.words}`, why: known.why }
  return { trouble: `${path} cannot be reached: ${failure ?? (errors.trim() || `exit ${exitCode}`)}`, why: 'other' }
}

function opened(real: string, bytes: Buffer): OpenFile {
  let at = 0
  return {
    real,
    size: bytes.length,
    read(buffer) {
      const part = bytes.subarray(at, at + buffer.length)
      buffer.set(part)
      at += part.length
      return Promise.resolve(part.length)
    },
    bytes: (most = bytes.length) => Promise.resolve(bytes.subarray(0, most)),
    close: () => Promise.resolve(),
  }
}

function listed(words: readonly string[]): FileListing {
  const entries: ListedEntry[] = []
  for (let at = 0; at + 2 < words.length; at += 3) {
    const [kind, name = '', target = ''] = words.slice(at, at + 3)
    if (kind === 'link') entries.push({ name, kind, target })
    else if (kind === 'file' || kind === 'directory' || kind === 'other') entries.push({ name, kind })
  }
  return { entries }
}
