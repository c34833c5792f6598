import { eventTraits } from '../hooks/hook-events.ts'

/** Programs whose configuration people come with. */
export const foreignPrograms = ['claude', 'opencode', 'codex', 'gemini'] as const
export type ForeignProgram = (typeof foreignPrograms)[number]

/** The fate of a key: it counts as it is, it counts in another form (which one), or it does not (why). */
export interface KeyVerdict {
  readonly verdict: 'honoured' | 'differently' | 'not'
  readonly how: string
}

/** Keys with one fate, separated by blanks. */
type Row = readonly [keys: string, verdict: KeyVerdict['verdict'], how: string]

const team = (key: string): string => `write ${key} in the team file`
const noFace = 'it is about the other program’s own screen'
const noAccount = 'it is about the other program’s own account and servers'
const asServer = 'a server in .mcp.json (troupe mcp add), used by members whose card names it'
const byCard = 'a card names the servers that its member uses; a person trusts those of a project once'
const addPlugins = 'troupe plugin add NAME@SOURCE, once for all projects of a person'
const fenced = 'the fence of Troupe knows enabled, excludedCommands, filesystem and network'
const byItself = 'a conversation is made shorter by itself when the window of its model fills'
const sameForAll = 'a project widens no list of a person'

const rows: Readonly<Record<ForeignProgram, readonly Row[]>> = {
  claude: [
    [
      'permissions.allow',
      'differently',
      'in a project the rules count when a person trusts them, word for word (troupe trust)',
    ],
    ['permissions.ask permissions.deny permissions.disableBypassPermissionsMode disallowedTools', 'honoured', ''],
    ['permissions.defaultMode', 'honoured', 'a wider mode of a project waits for trust'],
    ['permissions.additionalDirectories', 'differently', 'in a project they count when a person trusts them'],
    ['disableAllHooks', 'differently', 'a project turns off its own hooks, and turns on none that a person turned off'],
    [
      'allowManagedHooksOnly allowManagedPermissionRulesOnly',
      'differently',
      'write it in the managed policy of Troupe',
    ],
    [
      'allowedHttpHookUrls httpHookAllowedEnvVars',
      'differently',
      `the strongest source that has a list counts; ${sameForAll}`,
    ],
    [
      'model advisorModel fallbackModel',
      'differently',
      `${team('model: provider/model, advisor and fallback')}, or give --model`,
    ],
    ['effortLevel alwaysThinkingEnabled showThinkingSummaries', 'differently', team('effort and thinking of a card')],
    ['agent', 'differently', 'troupe run TEAM names who works'],
    [
      'env.ANTHROPIC_BASE_URL env.ANTHROPIC_AUTH_TOKEN env.ANTHROPIC_API_KEY',
      'differently',
      'providers in .troupe/settings.json, or the variable of the shell that starts troupe',
    ],
    [
      'env.ANTHROPIC_MODEL env.ANTHROPIC_SMALL_FAST_MODEL env.CLAUDE_CODE_SUBAGENT_MODEL env.ANTHROPIC_DEFAULT_OPUS_MODEL env.ANTHROPIC_DEFAULT_SONNET_MODEL env.ANTHROPIC_DEFAULT_HAIKU_MODEL',
      'differently',
      team('model: provider/model'),
    ],
    ['env', 'differently', 'variables of agents’ commands alone; in a project they count when a person trusts them'],
    ['respectGitignore', 'differently', 'false: Glob and Grep find ignored files, too'],
    [
      'apiKeyHelper awsCredentialExport',
      'differently',
      'providers.<name>.key in .troupe/settings.json names a variable or a program',
    ],
    ['modelOverrides', 'differently', 'providers in .troupe/settings.json'],
    ['cleanupPeriodDays', 'differently', 'troupe runs gc --older-than'],
    ['autoCompactEnabled autoCompactWindow', 'not', byItself],
    ['autoMode disableAutoMode', 'differently', 'permissions.classifier in ~/.troupe/settings.json, or --classifier'],
    ['autoMemoryEnabled autoMemoryDirectory', 'differently', team('memory of a card')],
    ['enabledMcpjsonServers disabledMcpjsonServers enableAllProjectMcpServers', 'differently', byCard],
    [
      'allowedMcpServers deniedMcpServers allowManagedMcpServersOnly allowAllClaudeAiMcps',
      'not',
      'write deny rules: mcp__server',
    ],
    ['enabledPlugins extraKnownMarketplaces', 'differently', addPlugins],
    [
      'strictKnownMarketplaces blockedMarketplaces strictPluginOnlyCustomization disableCommandPluginSources pluginConfigs pluginSuggestionMarketplaces pluginTrustMessage disableSideloadFlags allowedChannelPlugins',
      'not',
      'a person adds each plugin by hand and trusts its files',
    ],
    ['claudeMd claudeMdExcludes', 'not', 'every CLAUDE.md and AGENTS.md from the project on is read'],
    ['disableSkillShellExecution', 'not', 'commands of skills pass the permission rules, as all others do'],
    [
      'skillOverrides skillListingBudgetFraction skillListingMaxDescChars disableBundledSkills syncClaudeAiSkills',
      'differently',
      team('skills of a card'),
    ],
    [
      'language outputStyle includeGitInstructions',
      'differently',
      `${team('override_prompt or append_prompt')}, or say so in CLAUDE.md`,
    ],
    ['attribution includeCoAuthoredBy', 'not', 'Troupe adds nothing to commits'],
    ['fileCheckpointingEnabled', 'differently', 'changes of every run are kept: troupe undo'],
    ['plansDirectory', 'differently', 'plans are kept with the run'],
    ['preferredNotifChannel agentPushNotifEnabled inputNeededNotifEnabled', 'differently', 'troupe run --notify'],
    ['worktree', 'differently', team('isolation: worktree of a card')],
    ['sandbox', 'honoured', ''],
    [
      'theme statusLine subagentStatusLine tui verbose viewMode editorMode fileSuggestion footerLinksRegexes spinnerTipsEnabled spinnerTipsOverride spinnerVerbs spellcheck syntaxHighlightingDisabled showTurnDuration showClearContextOnPlanAccept terminalProgressBarEnabled terminalTitleFromRename prefersReducedMotion promptSuggestionEnabled prUrlTemplate keybindingFlavor vimInsertModeRemaps voice voiceEnabled wheelScrollAccelerationEnabled autoScrollEnabled axScreenReader awaySummaryEnabled companyAnnouncements defaultShell diffTool emojiCompletionEnabled externalEditorContext feedbackSurveyRate permissionExplainerEnabled respondToBashCommands skipAutoPermissionPrompt skipDangerousModePermissionPrompt autoConnectIde autoInstallIdeExtension teammateMode askUserQuestionTimeout',
      'not',
      noFace,
    ],
    [
      'browserExternalPageTools crossSessionInbound dialogExpiry disableAgentView disableBrowserExternalNavigation disableDeepLinkRegistration disableMobileSimulatorTools isolatePeerMachines skipWebFetchPreflight switchModelsOnFlag ultracode useAutoModeDuringPlan workflowKeywordTriggerEnabled workflowSizeGuideline teammateDefaultModel forceLoginMethod forceLoginOrgUUID forceLoginGatewayUrl forceRemoteSettingsRefresh otelHeadersHelper awsAuthRefresh gcpAuthRefresh availableModels enforceAvailableModels fastMode fastModePerSessionOptIn channelsEnabled remote remoteControlAtStartup disableRemoteControl disableClaudeAiConnectors disableArtifact enableArtifact disableWorkflows enableWorkflows minimumVersion requiredMinimumVersion requiredMaximumVersion autoUpdatesChannel sshConfigs sshHostAllowlist policyHelper parentSettingsBehavior wslInheritsWindowsSettings processWrapper',
      'not',
      noAccount,
    ],
    ['mcpServers', 'not', 'servers stand in .mcp.json, for Claude Code as for Troupe'],
    ['$schema', 'not', 'it is for editors'],
  ],
  opencode: [
    ['$schema', 'not', 'it is for editors'],
    ['model', 'differently', team('model: provider/model')],
    ['small_model', 'differently', team('memory.extract.model, or a model per worker')],
    ['provider', 'differently', 'providers in .troupe/settings.json or the team file'],
    ['disabled_providers enabled_providers', 'not', 'only providers that a team names are asked'],
    ['mcp', 'differently', asServer],
    ['agent mode', 'differently', team('workers')],
    ['default_agent', 'differently', 'troupe run TEAM names who works'],
    ['command', 'differently', 'a file .troupe/commands/<name>.md'],
    ['skills', 'differently', 'folders .claude/skills and .troupe/skills'],
    ['permission', 'differently', 'permissions.allow, ask and deny in .troupe/settings.json'],
    ['tools', 'differently', team('tools of a card, or deny rules')],
    ['instructions', 'differently', 'AGENTS.md with @path lines'],
    ['compaction', 'not', byItself],
    ['snapshot', 'differently', 'changes of every run are kept: troupe undo'],
    ['plugin experimental', 'not', 'its code is for the other program'],
    ['theme keybinds tui layout username logLevel attachment', 'not', noFace],
    ['server enterprise', 'not', 'Troupe opens no server'],
    ['share autoshare', 'not', 'nothing is sent anywhere'],
    ['autoupdate', 'not', 'npm updates Troupe'],
    ['formatter', 'differently', 'a PostToolUse hook, or verify of a card'],
    ['lsp watcher', 'not', 'no language server is asked, no folder watched'],
    ['shell', 'not', 'commands run in bash'],
  ],
  codex: [
    ['model review_model', 'differently', team('model: openai/…')],
    ['model_provider oss_provider', 'differently', team('model: provider/…')],
    [
      'model_providers chatgpt_base_url openai_base_url',
      'differently',
      'providers in .troupe/settings.json or the team file',
    ],
    ['model_reasoning_effort plan_mode_reasoning_effort', 'differently', team('effort')],
    [
      'model_reasoning_summary model_supports_reasoning_summaries model_reasoning_summary_format',
      'differently',
      team('thinking.display'),
    ],
    ['model_max_output_tokens', 'differently', team('max_output')],
    ['model_context_window model_auto_compact_token_limit compact_prompt', 'not', byItself],
    ['model_verbosity personality service_tier', 'not', 'it is a switch of one vendor'],
    [
      'approval_policy ask_for_approval',
      'differently',
      'permissions.defaultMode: untrusted and on-request are default, never is dontAsk',
    ],
    ['sandbox_mode', 'differently', 'sandbox.enabled in .troupe/settings.json'],
    [
      'sandbox_workspace_write permissions default_permissions',
      'differently',
      'sandbox.filesystem and sandbox.network in .troupe/settings.json',
    ],
    ['mcp_servers mcp_oauth_credentials_store', 'differently', asServer],
    ['profile profiles', 'differently', 'a team file for each'],
    ['projects', 'differently', 'troupe trust'],
    ['notify', 'differently', '--notify'],
    [
      'instructions developer_instructions experimental_instructions_file model_instructions_file',
      'differently',
      'AGENTS.md',
    ],
    [
      'project_doc_max_bytes project_doc_fallback_filenames',
      'not',
      'every AGENTS.md and CLAUDE.md from the project on is read whole',
    ],
    ['tools web_search', 'differently', team('tools of a card')],
    ['agents', 'differently', team('workers')],
    ['skills', 'differently', 'folders .claude/skills and .troupe/skills'],
    ['hooks', 'not', 'write them in .claude/settings.json or .troupe/settings.json'],
    [
      'features experimental_use_exec_command_tool experimental_use_unified_exec_tool',
      'not',
      'it turns on parts of the other program',
    ],
    ['history sqlite_home log_dir ghost_snapshot tool_output_token_limit', 'not', 'each run has its own journals'],
    [
      'shell_environment_policy allow_login_shell',
      'not',
      'members have the environment of the run, without credentials',
    ],
    [
      'tui file_opener hide_agent_reasoning show_raw_agent_reasoning notice disable_paste_burst check_for_update_on_startup',
      'not',
      noFace,
    ],
    ['otel analytics feedback', 'not', 'nothing is sent anywhere'],
    ['forced_login_method forced_chatgpt_workspace_id cli_auth_credentials_store', 'not', noAccount],
  ],
  gemini: [
    ['model.name model.maxSessionTurns model', 'differently', team('model: provider/model, budget')],
    ['modelConfigs', 'differently', team('effort, thinking and max_output')],
    ['mcpServers', 'differently', asServer],
    ['mcp allowMCPServers excludeMCPServers', 'differently', 'a card names the servers that its member uses'],
    ['tools.sandbox sandbox', 'differently', 'sandbox.enabled in .troupe/settings.json'],
    [
      'tools.allowed allowedTools autoAccept tools.autoAccept',
      'differently',
      'permissions.allow in .troupe/settings.json',
    ],
    ['tools.exclude excludeTools', 'differently', 'permissions.deny in .troupe/settings.json'],
    [
      'tools.discoveryCommand tools.callCommand toolDiscoveryCommand toolCallCommand',
      'differently',
      'an MCP server, or a code tool of the team file',
    ],
    ['tools coreTools', 'differently', team('tools of a card')],
    [
      'context.fileName contextFileName',
      'differently',
      'AGENTS.md and CLAUDE.md are read; one of them may say @GEMINI.md',
    ],
    [
      'context.includeDirectories includeDirectories',
      'differently',
      'permissions.additionalDirectories in .troupe/settings.json',
    ],
    ['context.fileFiltering fileFiltering', 'differently', 'respectGitignore in .troupe/settings.json'],
    ['context', 'not', 'every AGENTS.md and CLAUDE.md from the project on is read'],
    ['agents experimental.agents', 'differently', team('workers')],
    ['skills', 'differently', 'folders .claude/skills and .troupe/skills'],
    ['hooks hooksConfig', 'not', 'they speak another protocol; write them as Claude Code has them'],
    ['extensions', 'not', 'their servers go into .mcp.json'],
    ['ui theme general ide output vimMode hideTips hideBanner preferredEditor checkpointing', 'not', noFace],
    ['telemetry privacy usageStatisticsEnabled', 'not', 'nothing is sent anywhere'],
    ['security.auth', 'not', noAccount],
    ['security folderTrust', 'differently', 'trust and permissions of .troupe/settings.json'],
    ['selectedAuthType admin billing', 'not', noAccount],
    ['advanced experimental useWriteTodos useSmartEdit', 'not', 'it turns on parts of the other program'],
    ['$schema', 'not', 'it is for editors'],
  ],
}

/** Events of hooks that fire, and whose answers do less here. */
const eventsElsewise: Readonly<Record<string, string>> = {
  MessageDisplay: 'told once for each answer, whole; displayContent changes nothing',
  WorktreeCreate: 'may keep a tree from being made; members work in git worktrees of Troupe',
  DirectoryAdded: 'its source is settings',
  FileChanged: 'watches what matchers name, and watchPaths of its own hooks',
  ConfigChange: 'for settings files; what a project brings holds up no settings of a person',
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
  const row = rows[program].find(([keys]) => keys.split(' ').some((each) => key === each || key.startsWith(`${each}.`)))
  if (row === undefined) return isRead ? { verdict: 'honoured', how: '' } : unknown
  const [, verdict, how] = row
  // A value that exists only elsewhere is put aside where the key itself is known.
  if (verdict !== 'honoured' || isRead) return { verdict, how }
  return { verdict: 'not', how: key.startsWith('sandbox') ? fenced : 'this value means nothing in this file' }
}

function hookVerdict(event: string): KeyVerdict {
  const traits = Object.entries(eventTraits).find(([name]) => name === event)?.[1]
  if (traits === undefined) return { verdict: 'not', how: `there is no event ${event}` }
  if (traits.moment === null) return { verdict: 'not', how: 'the event never fires here' }
  const elsewise = eventsElsewise[event]
  if (elsewise !== undefined) return { verdict: 'differently', how: elsewise }
  const moment = /^(before|after) /.test(traits.moment) ? traits.moment : `when ${traits.moment}`
  return { verdict: 'honoured', how: `fires ${moment}; in a project after trust` }
}
