import { call, delegate, type Scene } from './scene.ts'

const look = {
  say: 'I read the change first.',
  calls: [call('Bash', { command: 'git diff HEAD' }), call('Bash', { command: 'git status --short' })],
}

const object = `Review the uncommitted work: git diff HEAD, and the untracked files that git status shows.
What it is meant to do, as far as the request says: let a visitor of the server make a backup archive.`

/** A new route hands a visitor's word to a shell; three reviewers see three sides of it. */
export const review: Scene = {
  team: 'review',
  task: 'Review my uncommitted changes: visitors shall be able to make a backup archive.',
  committed: {
    'package.json': '{ "name": "backups", "type": "module" }\n',
    'CONTRIBUTING.md': `# House rules

Programs are started with execFile and a list of arguments.
A function is named after what it does, and resolves when that is done.
`,
    'src/restore.js': `import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Unpacks an archive into \`dir\`. */
export async function restore(file, dir) {
  await run('tar', ['-xzf', file, '-C', dir])
}
`,
    'src/server.js': `import { createServer } from 'node:http'
import { restore } from './restore.js'

export const server = createServer(async (request, response) => {
  const url = new URL(request.url, 'http://localhost')
  if (url.pathname === '/restore') await restore('/var/backups/latest.tgz', 'data')
  response.end()
})
`,
  },
  uncommitted: {
    'src/archive.js': `import { exec } from 'node:child_process'

/** Packs the data and answers the path of the archive. */
export function check(name) {
  const file = \`/var/backups/\${name}.tgz\`
  exec(\`tar -czf \${file} data\`)
  return file
}
`,
    'src/server.js': `import { createServer } from 'node:http'
import { check } from './archive.js'
import { restore } from './restore.js'

export const server = createServer(async (request, response) => {
  const url = new URL(request.url, 'http://localhost')
  if (url.pathname === '/restore') await restore('/var/backups/latest.tgz', 'data')
  if (url.pathname === '/archive') response.write(check(url.searchParams.get('name')))
  response.end()
})
`,
  },
  answers: {
    lead: [
      {
        say: 'It is the working tree; all three look at the same thing.',
        calls: delegate(
          ['correctness', object],
          [
            'security',
            object,
            'The name of the archive comes from the visitor, if the change does what the request says.',
          ],
          ['style', object],
        ),
      },
      {
        say: `**Verdict: reject.** A visitor can run any command on the server, and even a well-meant request is answered before the archive exists.

**Findings**

1. [blocker] \`src/archive.js:6\`: the visitor's \`name\` from \`src/server.js:8\` is put into a shell line, so \`/archive?name=x;id\` runs \`id\`. Start tar with execFile and a list of arguments, as \`src/restore.js:8\` does.
2. [major] \`src/archive.js:5\`: \`name\` may hold \`../\`, so the archive can overwrite any .tgz file that the server may write. Accept only \`[a-z0-9-]+\`.
3. [major] \`src/archive.js:6\`: nobody waits for tar or sees its error; the path is answered although packing has only begun and may fail. Await it, and answer 500 when it fails.
4. [minor] \`src/archive.js:6\`: without \`name\` the archive is called null.tgz. Answer 400 instead.
5. [minor] \`src/archive.js:4\`: \`check\` checks nothing; by the house rules (\`CONTRIBUTING.md:4\`) it would be \`archive\`.

One repair covers 1 and 3: \`await run('tar', ['-czf', file, 'data'])\` with the \`run\` of \`src/restore.js:4\`.

**Not checked:** nothing was executed; whether another program limits who reaches the server could not be seen.`,
      },
    ],
    correctness: [
      look,
      {
        calls: [
          call('Read', { file_path: 'src/archive.js' }),
          call('Read', { file_path: 'src/server.js' }),
          call('Grep', { pattern: 'check\\(|archive', output_mode: 'content' }),
        ],
      },
      {
        say: `- src/archive.js:6 [major]: exec returns at once and nothing waits for it; the response names a file that tar has only begun to write. It should resolve when tar has ended.
- src/archive.js:6 [major]: tar's failure (no space, no data directory) is seen by nobody; the visitor gets a path to a broken archive. It should reject and the route answer 500.
- src/archive.js:6 [minor]: GET /archive without name gives null.tgz, because searchParams.get answers null at src/server.js:8. It should answer 400.
In order: /restore is unchanged; other paths still end with an empty response.
Not checked: nothing was run; the project has no tests.`,
      },
    ],
    security: [
      look,
      {
        calls: [
          call('Read', { file_path: 'src/archive.js' }),
          call('Read', { file_path: 'src/server.js' }),
          call('Read', { file_path: 'src/restore.js' }),
        ],
      },
      {
        say: `- src/archive.js:6 [blocker]: anyone who can send GET /archive?name=x;id (src/server.js:8, no check in between) runs commands as the server, because exec goes through a shell. Use execFile with a list of arguments.
- src/archive.js:5 [major]: name=../../tmp/x leaves /var/backups, so a visitor can overwrite any .tgz the server may write. Accept only [a-z0-9-]+.
In order: /restore takes nothing from the visitor (src/server.js:7), and starts tar without a shell (src/restore.js:8).
Not checked: whether a proxy in front limits who reaches /archive.`,
      },
    ],
    style: [
      look,
      {
        calls: [
          call('Read', { file_path: 'CONTRIBUTING.md' }),
          call('Read', { file_path: 'src/archive.js' }),
          call('Read', { file_path: 'src/restore.js' }),
        ],
      },
      {
        say: `- src/archive.js:4 [minor]: check(name) checks nothing, and a reader of src/server.js:8 will take it for a validation. Better: archive(name), after CONTRIBUTING.md:4.
- src/archive.js:6 [major]: the house rule asks for execFile with a list of arguments (CONTRIBUTING.md:3), as src/restore.js:8 does. Better: await run('tar', ['-czf', file, 'data']) with the run of src/restore.js:4.
Compared with src/restore.js and src/server.js; the rest reads like them.`,
      },
    ],
  },
}
