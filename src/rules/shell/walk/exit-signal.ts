/** Exit codes of programs that a signal ended, as shells state them: 128 and the number of the signal. */
const signals: Readonly<Record<number, string>> = {
  129: 'SIGHUP',
  130: 'SIGINT',
  131: 'SIGQUIT',
  132: 'SIGILL',
  134: 'SIGABRT',
  135: 'SIGBUS',
  136: 'SIGFPE',
  137: 'SIGKILL',
  139: 'SIGSEGV',
  141: 'SIGPIPE',
  143: 'SIGTERM',
  152: 'SIGXCPU',
  153: 'SIGXFSZ',
}

/** The exit code in words: `exitText(137)` → `exit 137 (SIGKILL, perhaps for want of memory)`. */
export function exitText(code: number): string {
  const signal = signals[code]
  return signal === undefined ? `exit ${code}` : `exit ${code} (${signalText(signal)})`
}

/** The name of a signal; the system ends a program with SIGKILL when memory runs out. */
export function signalText(signal: string): string {
  return signal === 'SIGKILL' ? 'SIGKILL, perhaps for want of memory' : signal
}

/** The exit code for a signal; undefined for one that ends no ordinary program. */
export function codeOfSignal(signal: string): number | undefined {
  const found = Object.entries(signals).find(([, name]) => name === signal)
  return found ? Number(found[0]) : undefined
}
