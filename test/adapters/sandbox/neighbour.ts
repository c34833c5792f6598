import { spawn } from 'node:child_process'

const program = `
import ctypes, json, os, signal, socket, sys, threading
base, libc = sys.argv[1], ctypes.CDLL(None, use_errno=True)
libc.prctl(0x59616d61, ctypes.c_ulong(-1), 0, 0, 0)
memory, queue = libc.shmget(0, 4096, 0o1600), libc.msgget(0, 0o1600)
shared = f'/dev/shm/neighbour-{os.getpid()}'
open(shared, 'w').write('x')
def served(family, kind, where):
    one = socket.socket(family, kind)
    one.bind(where)
    if kind == socket.SOCK_STREAM: one.listen()
    return one
tcp = served(socket.AF_INET, socket.SOCK_STREAM, ('127.0.0.1', 0))
tcp6 = served(socket.AF_INET6, socket.SOCK_STREAM, ('::1', 0)) if os.path.exists('/proc/net/if_inet6') else tcp
udp = served(socket.AF_INET, socket.SOCK_DGRAM, ('127.0.0.1', 0))
hidden = served(socket.AF_UNIX, socket.SOCK_STREAM, f'\\0neighbour-{os.getpid()}')
os.chdir(base)
agent = served(socket.AF_UNIX, socket.SOCK_STREAM, 'agent.sock')
log = served(socket.AF_UNIX, socket.SOCK_DGRAM, 'log.sock')
def answer():
    while True:
        text, sender = udp.recvfrom(100)
        udp.sendto(text, sender)
threading.Thread(target=answer, daemon=True).start()
print(json.dumps(dict(PID=os.getpid(), SHM=memory, QUEUE=queue, SHARED=shared, TCP=tcp.getsockname()[1],
    TCP6=tcp6.getsockname()[1], UDP=udp.getsockname()[1], HIDDEN=f'neighbour-{os.getpid()}')), flush=True)
sys.stdin.read()
libc.shmctl(memory, 0, None), libc.msgctl(queue, 0, None), os.unlink(shared)
`

/** Another program of the same user, by what it can be reached: names as variables of a shell. */
export interface Neighbour {
  readonly variables: Readonly<Record<string, string | number>>
  end(): Promise<void>
}

/** Starts one whose sockets in the file system lie in a folder. */
export async function neighbourIn(folder: string): Promise<Neighbour> {
  const child = spawn('python3', ['-c', program, folder], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', resolve)
    child.once('close', () => reject(new Error('the neighbour did not begin')))
  })
  return {
    variables: JSON.parse(line) as Neighbour['variables'],
    end: () => {
      child.stdin.end()
      return ended
    },
  }
}
