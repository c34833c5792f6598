import { lstatSync } from 'node:fs'
import type { SystemPrograms } from '../fs/system-programs.ts'

/*
 * The look of a shell inside of a sandbox before the command begins, with nothing but what the kernel shows of the mounts: each
 * writable place is the directory that it was when the sandbox was planned, and nothing else is writable.
 */

/** Mounts of the machine itself stand before those of the sandbox, which begin with `/dev`. */
const look = `found=$1; shift; own=; number=$1 want=$2; shift 2; places=("\${@:1:number}"); shift "$number"
number=$1; shift; empty=("\${@:1:number}"); shift "$number"
refuse() { echo "No command ran: $1 is not where it was when the sandbox was made." >&2; exit 125; }
while read -r _ _ _ _ at how rest; do case $how in ro*) continue ;; esac
[ "$own" ] || case $at,$rest in /dev,*'- tmpfs '*) ;; *) continue ;; esac; printf -v at %b "$at"
case $at in /proc|/dev|/dev/pts|/dev/console|/dev/tty|/dev/null|/dev/zero|/dev/full|/dev/random|/dev/urandom)
[ "\${own/" $at "/}" = "$own" ] || refuse "$at"; own+=" $at "; continue ;; esac
for place in "\${places[@]}"; do case $at/ in "$place"/*) continue 2 ;; esac; done
for place in "\${empty[@]}"; do [ "$at" = "$place" ] && continue 2; done; refuse "$at"; done < /proc/self/mountinfo
[ "$own" ] || refuse /dev
[ "\${#places[@]}" = 0 ] || [ "$(PATH=$found stat -c %d:%i -- "\${places[@]}")" = "$want" ] || refuse "\${places[*]}"
exec "$@"`

interface Looked {
  /** Writable, absolute, without links. */
  readonly places: readonly string[]
  /** Directories of which the command sees an empty one that is lost with it. */
  readonly empty: readonly string[]
  /** The programs for the look. */
  readonly system: SystemPrograms
}

/**
 * The same command behind that look.
 *
 * @throws The error of the file system.
 */
export function afterLook(
  argv: readonly [string, ...string[]],
  { places, empty, system }: Looked,
): readonly [string, ...string[]] {
  const ids = places.map((place) => {
    const { dev, ino } = lstatSync(place, { bigint: true })
    return `${dev}:${ino}`
  })
  const counted = [String(places.length), ids.join('\n'), ...places, String(empty.length), ...empty]
  return [system.find('bash'), '--noprofile', '--norc', '-c', look, 'sandbox', system.path, ...counted, ...argv]
}
