import { eventTraits } from '../hooks/hook-events.ts'

/** Programs whose configuration people come with. */
export const foreignPrograms = ['claude', 'opencode', 'codex', 'gemini'] as const
export type ForeignProgram = (typeof foreignPrograms)[number]

/** The fate of a key: it counts as it is, it counts in another form (which one), or it does not (why). */
export interface KeyVerdict {
  readonly verdict: 'honoured' | 'differently' | 'not'
  readonly how: string
}

type Row = readonly [pattern: string, verdict: KeyVerdict['verdict'], how: string]

const team = (key: string): string => `write ${key} in the team file`
const noFace = 'it is about the other program’s own screen'
const asServer = 'a server in .mcp.json (troupe mcp add), used by members whose card names it'

const rows: Readonly<Record<ForeignProgram, readonly Row[]>> = {
  claude: [
    [
      'permissions.allow',
      'differently',
      'in a project the rules count when a person trusts them, word for word (troupe trust)',
    ],
    ['permissions.ask', 'honoured', ''],
    ['permissions.deny', 'honoured', ''],
    ['permissions.defaultMode', 'honoured', 'a wider mode of a project waits for trust'],
    ['permissions.additionalDirectories', 'differently', 'in a project they count when a person trusts them'],
    ['permissions.disableBypassPermissionsMode', 'honoured', ''],
    ['disableAllHooks', 'honoured', 'in a project only for its own hooks'],
    ['allowManagedHooksOnly', 'honoured', 'in the managed policy only'],
    ['model', 'differently', `${team('model: provider/model')}, or give --model`],
    ['env', 'honoured', 'variables of commands; in a project they count when a person trusts them'],
    ['respectGitignore', 'honoured', ''],
    ['apiKeyHelper', 'differently', 'providers.<name>.key in .troupe/settings.json names a variable or a program'],
    ['cleanupPeriodDays', 'differently', 'troupe runs gc --older-than'],
    ['enabledMcpjsonServers', 'differently', 'a card names the servers that its member uses'],
    ['disabledMcpjsonServers', 'differently', 'a card names the servers that its member uses'],
    [
      'enableAllProjectMcpServers',
      'differently',
      'a card names the servers that its member uses; a person trusts them once',
    ],
    ['enabledPlugins', 'not', 'plugins are not read'],
    ['extraKnownMarketplaces', 'not', 'plugins are not read'],
    ['statusLine', 'not', noFace],
    ['outputStyle', 'not', team('override_prompt or append_prompt')],
    ['theme', 'not', noFace],
    ['$schema', 'honoured', ''],
  ],
  opencode: [
    ['$schema', 'not', 'it is for editors'],
    ['model', 'differently', team('model: provider/model')],
    ['small_model', 'differently', team('memory.extract.model, or a model per worker')],
    ['provider', 'differently', 'providers in .troupe/settings.json or the team file'],
    ['disabled_providers', 'not', 'only providers that a team names are asked'],
    ['mcp', 'differently', asServer],
    ['agent', 'differently', team('workers')],
    ['mode', 'differently', team('workers')],
    ['command', 'differently', 'a file .troupe/commands/<name>.md'],
    ['permission', 'differently', 'permissions.allow, ask and deny in .troupe/settings.json'],
    ['tools', 'differently', team('tools of a card, or deny rules')],
    ['instructions', 'differently', 'AGENTS.md with @path lines'],
    ['plugin', 'not', 'its code is for the other program'],
    ['theme', 'not', noFace],
    ['keybinds', 'not', noFace],
    ['tui', 'not', noFace],
    ['share', 'not', 'nothing is sent anywhere'],
    ['autoupdate', 'not', 'npm updates Troupe'],
    ['formatter', 'differently', 'a PostToolUse hook, or verify of a card'],
    ['lsp', 'not', 'no language server is asked'],
  ],
  codex: [
    ['model', 'differently', team('model: openai/…')],
    ['model_provider', 'differently', team('model: provider/…')],
    ['model_providers', 'differently', 'providers in .troupe/settings.json or the team file'],
    ['model_reasoning_effort', 'differently', team('effort')],
    ['model_reasoning_summary', 'differently', team('thinking.display')],
    ['model_max_output_tokens', 'differently', team('max_output')],
    [
      'approval_policy',
      'differently',
      'permissions.defaultMode: untrusted and on-request are default, never is dontAsk',
    ],
    ['sandbox_mode', 'differently', 'sandbox.enabled in .troupe/settings.json'],
    ['sandbox_workspace_write', 'differently', 'sandbox.filesystem and sandbox.network in .troupe/settings.json'],
    ['mcp_servers', 'differently', asServer],
    ['profiles', 'differently', 'a team file for each'],
    ['projects', 'differently', 'troupe trust'],
    ['notify', 'differently', '--notify'],
    ['instructions', 'differently', 'AGENTS.md'],
    ['experimental_instructions_file', 'differently', 'AGENTS.md'],
    ['tools', 'differently', team('tools of a card')],
    ['history', 'not', 'each run has its own journals'],
    ['shell_environment_policy', 'not', 'members have the environment of the run, without credentials'],
    ['tui', 'not', noFace],
    ['file_opener', 'not', noFace],
    ['hide_agent_reasoning', 'not', noFace],
  ],
  gemini: [
    ['model', 'differently', team('model: provider/model')],
    ['mcpServers', 'differently', asServer],
    ['mcp', 'differently', 'a card names the servers that its member uses'],
    ['tools.sandbox', 'differently', 'sandbox.enabled in .troupe/settings.json'],
    ['sandbox', 'differently', 'sandbox.enabled in .troupe/settings.json'],
    ['tools.allowed', 'differently', 'permissions.allow in .troupe/settings.json'],
    ['tools.exclude', 'differently', 'permissions.deny in .troupe/settings.json'],
    ['tools', 'differently', team('tools of a card')],
    ['coreTools', 'differently', team('tools of a card')],
    ['excludeTools', 'differently', 'permissions.deny in .troupe/settings.json'],
    ['context.fileName', 'differently', 'AGENTS.md and CLAUDE.md are read; one of them may say @GEMINI.md'],
    ['contextFileName', 'differently', 'AGENTS.md and CLAUDE.md are read; one of them may say @GEMINI.md'],
    ['hooks', 'not', 'they speak another protocol; write them as Claude Code has them'],
    ['ui', 'not', noFace],
    ['theme', 'not', noFace],
    ['general', 'not', noFace],
    ['telemetry', 'not', 'nothing is sent anywhere'],
    ['privacy', 'not', 'nothing is sent anywhere'],
    ['security', 'differently', 'trust and permissions of .troupe/settings.json'],
  ],
}

const unknown: KeyVerdict = { verdict: 'not', how: 'Troupe has no such setting' }

/**
 * Judges one key of another program's configuration.
 *
 * @param key its names from the outside in, joined by dots
 * @param isRead whether Troupe reads this very key from that file
 * @example foreignKey('codex', 'sandbox_mode', false).verdict // 'differently'
 */
export function foreignKey(program: ForeignProgram, key: string, isRead: boolean): KeyVerdict {
  const event = program === 'claude' ? /^hooks\.(\w+)$/.exec(key)?.[1] : undefined
  if (event !== undefined) return hookVerdict(event)
  const row = rows[program].find(([pattern]) => key === pattern || key.startsWith(`${pattern}.`))
  if (row === undefined) return isRead ? { verdict: 'honoured', how: '' } : unknown
  const [, verdict, how] = row
  // A value that exists only elsewhere is put aside where the key itself is known.
  return verdict === 'honoured' && !isRead ? unknown : { verdict, how }
}

function hookVerdict(event: string): KeyVerdict {
  const traits = Object.entries(eventTraits).find(([name]) => name === event)?.[1]
  if (traits === undefined) return { verdict: 'not', how: `there is no event ${event}` }
  if (traits.moment === null) return { verdict: 'not', how: 'the event never fires here' }
  return { verdict: 'honoured', how: `fires when ${traits.moment}; in a project after trust` }
}
