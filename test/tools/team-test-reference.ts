import { jsonSchemaOf } from '../../src/adapters/teams/json-schema.ts'
import { teamTestSchema } from '../../src/protocol/team/team-test.ts'
import { child, table } from './schema-table.ts'

const head = `# Test files

A \`*.test.yaml\` names a team, a task, the answers that its models give, and what has to be so at the end. This page lists every key, generated
from the schema that validates these files (\`npm run docs\`). [Test teams](how-to/test-teams.md) says how to use them.
`

/** The reference page of tests of teams, as Markdown. */
export function teamTestReference(): string {
  const root = jsonSchemaOf(teamTestSchema)
  const expected = child(root, 'expect')
  const parts = ['answer', 'tools', 'files'].map((name) => ({
    title: `\`expect.${name}\``,
    schema: child(expected, name),
  }))
  const mail = child(expected, 'mail').items ?? {}
  const sections = [
    { title: 'The file', schema: root },
    { title: '`expect`', schema: expected },
    ...parts,
    { title: 'An item of `expect.mail`', schema: mail },
  ]
  return [head, ...sections.map((section) => table(section))].join('\n')
}
