import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordOfRun } from '../../../src/runtime/runs/read-runs.ts'
import { play, tempDir } from '../../runtime/support/stage.ts'
import { served } from './served.ts'

type Call = readonly [tool: string, input: object]

const bin = join(import.meta.dirname, '../../../src/ui/cli/bin.ts')

/** The results of these calls of a member that is asked about nothing. */
async function resultsOf(calls: readonly Call[], home: string): Promise<readonly string[]> {
  const tools = ['Bash', 'Read', 'Grep', 'Glob', 'LS', 'Write', 'Edit']
  const team = {
    name: 'spy',
    coordinator: { prompt: 'p' },
    workers: { ana: { description: 'd', prompt: 'p', tools } },
  }
  const script = {
    lead: {
      steps: [
        { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Spy.' }] } }] },
        { say: 'Spied.' },
      ],
    },
    ana: { steps: [{ calls: calls.map(([tool, input]) => ({ tool, input })) }, { say: 'Spied.' }] },
  }
  const { run, result } = await play(team, script, { home, mode: 'bypassPermissions', allowBypass: true })
  expect(await result).toMatchObject({ status: 'completed' })
  return recordOfRun(run.dir).recorded.flatMap(({ owner, entry }) => {
    if (owner !== 'ana' || entry.type !== 'message.appended' || entry.message.role !== 'tool') return []
    return entry.message.results.map(({ content }) => JSON.stringify(content))
  })
}

const bash = (command: string): Call => ['Bash', { command }]

test('no member reads or writes the tokens of a server, starts one, or hears more of it than the empty page', async () => {
  const home = tempDir()
  const { url, tokens, token } = await served(home, home)
  const before = readFileSync(tokens, 'utf8')
  const refused: readonly Call[] = [
    ['Read', { file_path: tokens }],
    ['Grep', { pattern: 'token', path: join(home, '.troupe'), output_mode: 'content' }],
    ['Grep', { pattern: 'token', path: tokens, output_mode: 'content' }],
    ['Glob', { pattern: '**/*', path: join(home, '.troupe') }],
    ['LS', { path: join(home, '.troupe') }],
    ['Write', { file_path: tokens, content: '{}' }],
    ['Edit', { file_path: tokens, old_string: 'read', new_string: 'approve' }],
    ...[
      `cat ${tokens}`,
      `jq -r '.tokens[2].token' ${tokens}`,
      `cd ${home} && cat .troupe/server-tokens.json`,
      `cd ${home}/.troupe; cat *`,
      `cat ${home}/.tr*/server*`,
      `cp ${tokens} .`,
      `mv ${home}/.troupe here`,
      `ln -s ${home}/.troupe here && cat here/server-tokens.json`,
      `tar cf all.tar ${home}`,
      `F=${tokens}; while read -r line; do echo "$line"; done < "$F"`,
      `curl -H "authorization: Bearer $(jq -r '.tokens[2].token' ${tokens})" ${url}/api/runs`,
      `curl file://${tokens}`,
      `curl -K ${tokens} ${url}`,
      `python3 -c "print(open('${tokens}').read())"`,
      `echo '{"tokens":[]}' > ${tokens}`,
      `chmod 644 ${tokens}`,
      `rm ${tokens}`,
      'troupe serve --port 0 --json',
      `${process.execPath} ${bin} serve --port 0 --json`,
    ].map(bash),
  ]
  const results = await resultsOf(refused, home)
  // A whole directory around the closed one is asked about, and nobody is there to be asked.
  const words = / is closed to agents| is for a person|needs approval .* nobody can be asked/
  expect(results.filter((result) => !words.test(result))).toEqual([])
  expect(results.length).toBe(refused.length)
  const outside = await resultsOf(
    [
      ...['/api/runs', '/api/approvals', '/api/openapi.json'].map((path) =>
        bash(`curl -s -w ' %{http_code}' ${url}${path}`),
      ),
      bash(`curl -s -w ' %{http_code}' -H 'content-type: application/json' -d '{"code":"guessed"}' ${url}/api/session`),
    ],
    home,
  )
  for (const result of outside) expect(result).toMatch(/ 401"/)
  for (const scope of ['read', 'act', 'approve'] as const)
    expect(JSON.stringify([results, outside])).not.toContain(token(scope))
  expect(readFileSync(tokens, 'utf8')).toBe(before)
})
