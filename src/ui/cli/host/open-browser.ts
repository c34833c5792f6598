import { spawn } from 'node:child_process'

/** Opens an address in the person's browser, as far as there is one; the address is shown to them as well. */
export function openBrowser(url: URL, env: Readonly<Record<string, string | undefined>>): void {
  const usual = process.platform === 'darwin' ? 'open' : 'xdg-open'
  const program = env['BROWSER'] ?? usual
  const child = spawn(program, [url.href], { detached: true, stdio: 'ignore', env: { ...env } })
  // Without a browser the address on the screen has to do.
  child.once('error', () => undefined)
  child.unref()
}
