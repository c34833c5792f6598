import type { Context, Hono } from 'hono'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { DoorEnv } from './guard.ts'

/** The path of the dashboard; its files lie below. */
export const dashboardPath = '/dashboard'

/** Only this server's own files, and no frame around it. */
export const dashboardPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const medias: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/**
 * Adds the files of the dashboard, which hold nothing of any run and are read once: no request names a place on the disk.
 * @returns false where the folder holds no built page
 */
export function addDashboard(app: Hono<DoorEnv>, folder: string | undefined): boolean {
  if (folder === undefined || !existsSync(join(folder, 'index.html'))) return false
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const media = medias[extname(name)]
    if (media === undefined) continue
    const text = readFileSync(join(folder, name), 'utf8')
    const answer = (context: Context): Response =>
      context.body(text, 200, { 'content-type': media, 'content-security-policy': dashboardPolicy })
    app.get(`${dashboardPath}/${name === 'index.html' ? '' : name.replaceAll('\\', '/')}`, answer)
  }
  app.get(dashboardPath, (context) => context.redirect(`${dashboardPath}/`))
  return true
}
