import { isBuiltin } from 'node:module'
import { join, resolve } from 'node:path'
import { build } from 'vite'

const name = 'receiver-process'

/** The receiver as the package ships code, in one file; returns where it lies. What stays apart there stays apart here. */
export async function builtReceiver(): Promise<string> {
  const out = resolve('node_modules/.cache/bench-mail')
  await build({
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      target: 'es2024',
      outDir: out,
      copyPublicDir: false,
      minify: false,
      rolldownOptions: {
        input: { [name]: join(import.meta.dirname, `${name}.ts`) },
        external: (id) => isBuiltin(id) || id === 'chokidar',
        output: { entryFileNames: '[name].js' },
      },
    },
  })
  return join(out, `${name}.js`)
}
