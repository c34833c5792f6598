import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { toolNameSchema, type CodeToolCard } from '../../protocol/team-tools.ts'

const folder = 'tools'
const endings = new Set(['.ts', '.js', '.mjs'])

/**
 * The tools that lie as code in `tools/` beside a team file: `tools/Deploy.ts` is the tool `Deploy`. Nothing is run.
 *
 * @param wanted Names that some member is given; the others are not looked at.
 * @example await findCodeTools('/project/teams/ship.yaml', ['Deploy']) // [{ name: 'Deploy', file: 'tools/Deploy.ts', … }]
 */
export async function findCodeTools(teamFile: string, wanted: readonly string[]): Promise<readonly CodeToolCard[]> {
  const dir = join(dirname(teamFile), folder)
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => [])
  const files = entries
    .filter((entry) => !entry.isDirectory() && endings.has(extname(entry.name)))
    .map((entry) => ({ name: basename(entry.name, extname(entry.name)), file: entry.name }))
    .filter(({ name }) => wanted.includes(name) && toolNameSchema.safeParse(name).success)
    .toSorted((a, b) => (a.file < b.file ? -1 : 1))
  const first = files.filter(({ name }, index) => files.findIndex((each) => each.name === name) === index)
  return Promise.all(
    first.map(async ({ name, file }) => {
      const sha256 = createHash('sha256')
        .update(await readFile(join(dir, file)))
        .digest('hex')
      return { name, file: `${folder}/${file}`, sha256 }
    }),
  )
}
