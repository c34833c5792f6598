import { jsonSchemaOf } from '../../src/adapters/teams/json-schema.ts'
import { settingsSchema } from '../../src/protocol/permissions/settings.ts'
import { child, table } from './schema-table.ts'

const head = `# Settings files

Settings say what agents may do on this machine, in this project, for you. They are JSON, in the shape that Claude Code's
settings have; this page lists every key, generated from the schema that validates them (\`npm run docs\`). How to use them
is in [set permissions](how-to/set-permissions.md).

## Where they lie

| source | file | who writes it |
| --- | --- | --- |
| policy | \`/etc/troupe/policy.json\`, then \`/etc/troupe/policy.d/*.json\` by name | whoever manages the machine |
| project | \`.troupe/settings.json\`, \`.claude/settings.json\` | the project, committed |
| local | \`.troupe/settings.local.json\`, \`.claude/settings.local.json\` | you, for this project |
| user | \`~/.troupe/settings.json\`, \`~/.claude/settings.json\` | you |
| cliArg | \`--allow\`, \`--ask\`, \`--deny\`, \`--mode\` of \`troupe run\` | you, for this run |
| session | what you allow for a session when you are asked | you, for this session |

A project reaches from the directory that holds \`.git\` down to the working directory; every directory on the way may have
its own files. Without \`.git\` it is the working directory alone. A team file's \`permissions\` belong to the project.

Files below \`.claude\` are read and never written. A key of theirs that means nothing here is listed by \`troupe doctor\`;
an unknown key in a file below \`.troupe\` or in the policy is a mistake.
`

const tail = `## How sources come together

* Rules of all sources are joined: deny comes before ask, ask before allow, wherever the rule stands. The source only says
  whose rule is named. \`allowManagedPermissionRulesOnly\` drops the allow rules of everyone but the policy.
* \`defaultMode\`: policy, \`--mode\`, team file, local, project, user; the first that has one. Nobody's mode is wider than
  the policy's. \`bypassPermissions\` also needs \`--dangerously-skip-permissions\`.
* \`env\` is joined by name, \`disallowedTools\` as deny rules are; of \`model\` and \`respectGitignore\` the strongest source's counts.
  A change holds from the next call on, that of \`model\` from the next run on: a conversation keeps the model that has read it.
* \`additionalDirectories\`, and the lists of \`sandbox\`, are joined. \`sandbox.enabled\`, \`sandbox.failIfUnavailable\` and
  \`sandbox.allowUnsandboxedCommands: false\` hold when any source sets them.
* What a project's, a local or a team file opens (allow rules, a wider mode, directories, variables of \`env\`, holes in the sandbox, variables
  that HTTP tools send) counts once you trust it: see \`troupe trust\`. What it forbids always counts.

## Paths in rules

| written | means |
| --- | --- |
| \`//etc/hosts\` | the absolute path \`/etc/hosts\` |
| \`~/notes/**\` | below your home directory |
| \`/src/**\` | below the directory the settings belong to: the project's for project and local files, \`~/.troupe\` or \`~/.claude\` for yours |
| \`./src/**\`, \`src/**\` | below the working directory; a rule that forbids holds at any depth of it |

## When a file is wrong

Nothing in it opens anything: its allow rules, directories and wider modes do not count. Its deny and ask rules do, as far as
they can still be made out. \`troupe doctor\` names every mistake with its line. A mistake in the policy stops every run.
A file that breaks while a team is running stays in force as it was last read, and the run says so.
`

/** The reference page of settings files, as Markdown. */
export function settingsReference(): string {
  const root = jsonSchemaOf(settingsSchema)
  const sandbox = child(root, 'sandbox')
  const sections = [
    { title: 'The file', schema: root },
    { title: '`permissions`', schema: child(root, 'permissions') },
    { title: '`sandbox`', schema: sandbox },
    { title: '`sandbox.filesystem`', schema: child(sandbox, 'filesystem') },
    { title: '`sandbox.network`', schema: child(sandbox, 'network') },
  ]
  return [head, ...sections.map((section) => table(section)), tail].join('\n')
}
