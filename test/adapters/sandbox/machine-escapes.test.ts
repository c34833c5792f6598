import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bubblewrapMissing } from '../../../src/adapters/sandbox/bubblewrap.ts'
import { sandboxGround } from './ground.ts'
import { neighbourIn, type Neighbour } from './neighbour.ts'

const missing = bubblewrapMissing()
if (missing !== null) console.warn(`skipped: ${missing}`)

/**
 * Ways to the rest of the machine, in Python: each ends without an error where it succeeds. `root`: outside of a sandbox
 * only root may do it.
 */
const ways: readonly (readonly [name: string, code: string, root?: 'root'])[] = [
  ['the environment of another process', `open(f'/proc/{PID}/environ').read()`],
  [
    'the memory of another process by ptrace',
    `no(libc.ptrace(16, PID, 0, 0)); os.waitpid(PID, 0x40000000); libc.ptrace(17, PID, 0, 0)`,
  ],
  [
    'the memory of another process by system call',
    `b = ctypes.create_string_buffer(8); class_ = ctypes.c_size_t * 2; near = class_(ctypes.addressof(b), 8); far = class_(int(open(f'/proc/{PID}/maps').readline().split('-')[0], 16), 8); no(libc.process_vm_readv(PID, near, 1, far, 1, 0))`,
  ],
  ['the root directory of another process', `open(f'/proc/{PID}/root{B}/outside/x', 'w')`],
  ['the directory of another process', `open(f'/proc/{PID}/cwd/x', 'w')`],
  ['a descriptor of a process', `call(434, PID, 0)`],
  ['the descriptors of another process', `os.listdir(f'/proc/{PID}/fd')`],
  ['the priority of another process', `os.setpriority(os.PRIO_PROCESS, PID, 1)`],
  ['the limits of another process', `import resource; resource.prlimit(PID, resource.RLIMIT_CORE)`],
  ['the scheduler of another process', `os.sched_setaffinity(PID, os.sched_getaffinity(0))`],
  ['shared memory of System V', `libc.shmat.restype = ctypes.c_long; no(libc.shmat(SHM, None, 0))`],
  ['a message queue of System V', `b = ctypes.create_string_buffer(16); b[0] = 1; no(libc.msgsnd(QUEUE, b, 0, 0))`],
  ['shared memory in files', `open(SHARED).read()`],
  ['a socket of a key agent', `socket.socket(socket.AF_UNIX).connect('../outside/agent.sock')`],
  ['a datagram to a log', `socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'x', '../outside/log.sock')`],
  ['a socket without a file', `socket.socket(socket.AF_UNIX).connect('\\0' + HIDDEN)`],
  ['the list of local sockets', `assert 'agent.sock' in open('/proc/net/unix').read()`],
  ['a connection', `socket.create_connection(('127.0.0.1', TCP))`],
  ['a connection over IPv6', `socket.create_connection(('::1' if TCP6 != TCP else '127.0.0.1', TCP6))`],
  [
    'a datagram as to a server of names',
    `s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.settimeout(2); s.sendto(b'x', ('127.0.0.1', UDP)); s.recv(9)`,
  ],
  [
    'the table of connections by netlink',
    `s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 4); s.send(struct.pack('=LHHLLBBBBL', 72, 20, 0x301, 0, 0, 2, 6, 0, 0, 1 << 10) + bytes(48)); assert struct.pack('>H', TCP) in s.recv(1 << 16)`,
  ],
  ['raw packets', `socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)`, 'root'],
  ['raw frames', `socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)`, 'root'],
  ['the mode of a file by its descriptor', `os.fchmod(os.open('../outside/kept', os.O_RDONLY), 0o600)`],
  ['the time of a file by its descriptor', `os.utime(os.open('../outside/kept', os.O_RDONLY), (1, 1))`],
  ['an attribute of a file', `os.setxattr('../outside/kept', 'user.x', b'y')`],
  ['another name for a file', `os.link('../outside/kept', f'h{os.getpid()}')`],
  [
    'another name for an open file',
    `fd = os.open('../outside/kept', os.O_RDONLY); no(libc.linkat(-100, f'/proc/self/fd/{fd}'.encode(), -100, f'i{os.getpid()}'.encode(), 0x400))`,
  ],
  ['a nameless file', `os.open('../outside', os.O_TMPFILE | os.O_RDWR)`],
  ['a setuid program', `assert libc.prctl(39, 0, 0, 0, 0) == 0`],
  [
    'devices of the machine',
    `assert set(os.listdir('/dev')) - set('console core fd full null ptmx pts random shm stderr stdin stdout tty urandom zero'.split())`,
  ],
  ['a copy of the mounts', `call(428, -100, b'/', 0x8001)`, 'root'],
  ['a new file system', `call(430, b'tmpfs', 0)`, 'root'],
  [
    'a way past all names',
    `b = ctypes.create_string_buffer(struct.pack('Ii', 128, 0) + bytes(128)); m = ctypes.c_int(); no(libc.name_to_handle_at(-100, b'/', b, ctypes.byref(m), 0)); no(libc.open_by_handle_at(os.open('/', 0), b, 0))`,
    'root',
  ],
  ['the program for dumps of memory', `open('/proc/sys/kernel/core_pattern', 'r+').close()`, 'root'],
]

const program = `
import ctypes, os, socket, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
def no(result):
    if result < 0: raise OSError(ctypes.get_errno())
    return result
def call(*args): return no(libc.syscall(*args))
for name, code in ways:
    child = os.fork()
    if child == 0:
        try: exec(code, globals())
        except BaseException as error: os._exit(1)
        os._exit(0)
    if os.waitpid(child, 0)[1] == 0: print(name)
`

/* Each is tried with and without a sandbox: one that never succeeds would tell nothing. */
describe.skipIf(missing !== null)('the rest of the machine, for a command', () => {
  const { at, inside, outside } = sandboxGround(true)
  let neighbour: Neighbour
  beforeAll(async () => {
    neighbour = await neighbourIn(at('outside'))
    writeFileSync(at('outside/kept'), 'kept')
    const known = Object.entries({ B: at('').replace(/\/$/, ''), ...neighbour.variables })
    const given = known.map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
    const list = JSON.stringify(ways.map(([name, code]) => [name, code]))
    writeFileSync(at('outside/ways.py'), [...given, `ways = ${list}`, program].join('\n'))
  })
  afterAll(() => neighbour.end())

  test('is closed, although it is open without a sandbox', async () => {
    const isRoot = process.getuid?.() === 0
    const open = ways.filter(([, , root]) => root === undefined || isRoot).map(([name]) => name)
    expect(outside('python3 $B/outside/ways.py 2>&1', 'work').out.trim().split('\n')).toEqual(open)
    expect(await inside('python3 $B/outside/ways.py 2>&1')).toEqual({ out: '', code: 0 })
  })
  const lines = [
    'mount -t tmpfs x /mnt',
    'mount --bind $B/tmp $B/work/.troupe',
    'umount $B/work/.troupe',
    'unshare -Ur true',
    'nsenter -t 1 -m true',
    'chroot / true',
    'mknod d b 8 0',
    // Looked at, not tried: on a machine without the fence it would be changed.
    'test -w /proc/sys/kernel/core_pattern',
    'find /proc -xdev -maxdepth 5 -not -path "/proc/[0-9s]*" -type f -writable | grep -q .',
    'find /proc/sys /sys -maxdepth 4 -type f -writable | grep -q .',
    'kill -0 $PPID_OUTSIDE',
    "perl -e 'use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0) or exit 1'",
    "perl -e 'socket(S, 40, 1, 0) or exit 1'",
    "perl -e 'syscall(425, 1, 0) >= 0 or exit 1'",
    // The person's session and user keyrings.
    "perl -e 'syscall(250, 0, -3, 0) >= 0 or exit 1'",
    "perl -e 'syscall(250, 0, -4, 0) >= 0 or exit 1'",
    "perl -e 'my @n = qw(user a b); syscall(248, @n, 1, -2) >= 0 or exit 1'",
    'exec 3<>/dev/tcp/127.0.0.1/22',
    'for fd in /proc/$$/fd/*; do case $(readlink $fd) in pipe:*|socket:*|/dev/null) ;; *) exit 0 ;; esac; done; exit 1',
    'echo x > $B/outside/x',
    'mv $B/work $B/w2',
    'chmod u+w .troupe && touch .troupe/x',
  ]
  test('no line of a shell leads out', async () => {
    const tried = lines.map((line, n) => `(${line}\n) > $B/tmp/${n} 2>&1 < /dev/null && echo ${n}`)
    const { out } = await inside(`export PPID_OUTSIDE=${process.pid}\n${tried.join('\n')}\ntrue`)
    expect(out.split('\n').flatMap((n) => (n === '' ? [] : [lines[Number(n)]]))).toEqual([])
  })

  test('a terminal that a person sits at cannot be written to', async () => {
    const see = 'exec 3<> /dev/tty && echo open'
    const sit = (line: string) => `script -qec ${JSON.stringify(line)} /dev/null < /dev/null`
    expect(outside(sit(see)).out).toContain('open')
    expect(
      (await inside(see, 'work', {}, (argv) => ['script', '-qec', argv.map(quoted).join(' '), '/dev/null'])).out,
    ).not.toContain('open')
  })
})

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\\''`)}'`
}
