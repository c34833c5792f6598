import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { entries } from './entries.ts'

/**
 * Writes one declaration file for each entry of the package; types of other packages stay imports.
 *
 * @param out the folder that the files go to
 * @throws when the sources do not type-check
 */
export async function rollTypes(out: string): Promise<void> {
  const declarations = mkdtempSync(join(tmpdir(), 'troupe-types-'))
  try {
    emit(declarations)
    for (const entry of entries()) {
      const bundle = await rolldown({
        input: { [entry]: join(declarations, 'src', `${entry}.d.ts`) },
        external: /^[^./]/,
        checks: { bundlerTimings: false },
        plugins: [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false })],
      })
      await bundle.write({ dir: out, entryFileNames: '[name].js' })
      await bundle.close()
    }
  } finally {
    rmSync(declarations, { recursive: true })
  }
}

function emit(outDir: string): void {
  const compiler = resolve('node_modules/typescript-7/bin/tsc')
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', outDir], {
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('the sources do not type-check')
}
