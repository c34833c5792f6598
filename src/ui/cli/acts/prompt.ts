import { errorText } from '../../../protocol/words/error-text.ts'
import { countPrompt } from '../../../runtime/run/count-prompt.ts'
import {
  promptDifferences,
  showPrompt,
  type PromptDifference,
  type ShownPrompt,
} from '../../../runtime/run/show-prompt.ts'
import { settingsModels } from '../../../runtime/settings/load-rules.ts'
import { loadTeam } from '../../../runtime/team-files/load-team.ts'
import { plainText } from '../../text/plain-text.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { printEither, workingDirectory, type Flags, type Host, type Values } from '../host/host.ts'
import { UserError } from '../host/user-error.ts'
import { teamFileOf } from '../runs/find-team.ts'
import { runDirectoryOf } from '../runs/run-choice.ts'
import { table } from '../text/table.ts'

interface Named {
  readonly team: string | undefined
  readonly member: string | undefined
}

type PromptOptions = Flags<'json' | 'full' | 'count'> & Values<'cwd'> & Values<'diff', readonly string[] | true>

/**
 * Shows the prompt of a member, or how the prompts of two runs differ.
 * @throws UserError for a member, team or run that is not there
 */
export async function printPrompt({ team, member }: Named, options: PromptOptions, host: Host): Promise<ExitCode> {
  if (options.diff !== undefined) return printDifference(options.diff === true ? [] : options.diff, options, host)
  if (team === undefined) throw new UserError('name a team, or two runs with --diff')
  const shown = await promptOf({ team, member }, options, host)
  await printEither({ document: shown, text: plainText(promptText(shown, options)) }, options, host)
  return exitCodes.done
}

async function promptOf({ team, member }: Named, { cwd, count }: PromptOptions, host: Host): Promise<ShownPrompt> {
  const { home, env } = host
  const settings = settingsModels(host)
  const loaded = await loadTeam(teamFileOf(team ?? '', host), {
    cwd: host.cwd,
    env,
    // Any model will do, where none is asked.
    model: env['TROUPE_MODEL'] ?? (count === true ? undefined : 'scripted/none'),
    ...settings,
  })
  const place = { cwd: workingDirectory(cwd, host), home, now: Date.now() }
  const name = member ?? loaded.coordinator
  const shown =
    count === true
      ? countPrompt(loaded, name, { ...place, env, servers: await settings.servers() })
      : showPrompt(loaded, name, place)
  return shown.catch((error: unknown) => {
    throw new UserError(errorText(error))
  })
}

function promptText(
  { team, member, fingerprint, counted_by: by, sections, without }: ShownPrompt,
  { full }: PromptOptions,
): string {
  const sum = sections.reduce((all, { tokens }) => all + tokens, 0)
  const rows = sections.map(({ name, zone, chars, tokens, cache }) => [
    name,
    zone,
    String(chars),
    by === undefined ? `~${tokens}` : String(tokens),
    cache,
  ])
  const texts = full === true ? sections.map(({ name, text }) => `\n--- ${name} ---\n${text}`) : []
  return [
    `${member}@${team}, ${by === undefined ? `about ${sum} tokens` : `${sum} tokens by the count of ${by}`} before the task, fingerprint ${fingerprint.slice(0, 12)}`,
    table(['SECTION', 'ZONE', 'CHARS', 'TOKENS', 'CACHE'], rows).trimEnd(),
    ...without.map((server) => `and the tools and words of the MCP server ${server}: troupe mcp tools ${server}`),
    ...texts,
  ].join('\n')
}

async function printDifference(runs: readonly string[], options: PromptOptions, host: Host): Promise<ExitCode> {
  const [before, after, ...more] = runs.map((run) => runDirectoryOf(run, options, host))
  if (before === undefined || after === undefined || more.length > 0)
    throw new UserError('--diff compares two runs: name both')
  const members = promptDifferences([before, after])
  await printEither({ document: { before, after, members }, text: plainText(differenceText(members)) }, options, host)
  return exitCodes.done
}

function differenceText(members: readonly PromptDifference[]): string {
  if (members.length === 0) return 'No member began in both runs.'
  const row = ({ member, same, moved, chars }: PromptDifference) => [
    member,
    same ? 'same' : moved.join(', '),
    String(chars),
  ]
  return table(['MEMBER', 'MOVED', 'CHARS READ ANEW'], members.map(row)).trimEnd()
}
