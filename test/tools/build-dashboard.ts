import { join, resolve } from 'node:path'
import { build } from 'vite'

/** Builds the page of `troupe dashboard` into a folder. */
export async function buildDashboard(out: string): Promise<void> {
  await build({
    configFile: false,
    root: join(import.meta.dirname, '..', '..', 'src', 'ui', 'web', 'dashboard'),
    // Files name each other by their places: a proxy may serve the page below another path.
    base: './',
    logLevel: 'warn',
    build: {
      outDir: resolve(out),
      emptyOutDir: true,
      target: 'es2024',
      // The policy of the page allows files of its server only.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      license: { fileName: 'third-party-licenses.md' },
    },
  })
}

if (import.meta.main) await buildDashboard(process.argv[2] ?? join('dist', 'dashboard'))
