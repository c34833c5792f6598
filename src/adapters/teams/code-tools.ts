import { readdirSync, readFileSync, type Dirent } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { toolNamePattern } from '../../protocol/words/ids.ts'
import type { CodeToolCard } from '../../protocol/team/team-tools.ts'

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
  const files = entriesOf(dir)
    .filter((entry) => !entry.isDirectory() && endings.has(extname(entry.name)))
    .map((entry) => ({ name: basename(entry.name, extname(entry.name)), file: entry.name }))
    .filter(({ name }) => wanted.includes(name) && toolNamePattern.test(name))
    .toSorted((a, b) => (a.file < b.file ? -1 : 1))
  const first = files.filter(({ name }, index) => files.findIndex((each) => each.name === name) === index)
  if (first.length === 0) return []
  const { contentHash } = await import('../fs/content-hash.ts')
  return first.map(({ name, file }) => ({
    name,
    file: `${folder}/${file}`,
    sha256: contentHash(readFileSync(join(dir, file))),
  }))
}

function entriesOf(dir: string): readonly Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true })
  } catch {
    return []
  }
}
