import { proposalSchema, type HookProposal } from '../../protocol/hooks/hook-reply.ts'

const verbs = {
  addRules: 'the rule',
  replaceRules: 'instead of others the rule',
  removeRules: 'no longer the rule',
  addDirectories: 'the directory',
  removeDirectories: 'no longer the directory',
} as const

/**
 * The changes of permissions that a hook asks for, in words. None of them is made: what a hook would change for later calls is
 * a person's to decide.
 *
 * @param value `updatedPermissions` of an answer; what cannot be read of it is left out
 * @example proposalsIn([{ type: 'setMode', mode: 'acceptEdits' }]) // ['the mode acceptEdits']
 */
export function proposalsIn(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((each: unknown) => {
    const { data } = proposalSchema.safeParse(each)
    return data === undefined ? [] : wordsOf(data)
  })
}

function wordsOf(proposal: HookProposal): readonly string[] {
  if (proposal.type === 'setMode') return [`the mode ${proposal.mode}`]
  if (!('rules' in proposal)) return proposal.directories.map((each) => `${verbs[proposal.type]} ${each}`)
  const { type, rules, behavior } = proposal
  return rules.map(({ toolName, ruleContent: content }) => {
    const rule = content === undefined ? toolName : `${toolName}(${content})`
    const said = `${verbs[type]} "${behavior} ${rule}"`
    return type === 'addRules' ? `${said} (${savingOf(rule, proposal)})` : said
  })
}

const flags: Readonly<Record<string, string>> = {
  ask: ' --ask',
  deny: ' --deny',
  userSettings: ' --user',
  projectSettings: ' --project',
}

/** The command with which a person saves a rule, safe to be put into a shell. */
function savingOf(
  rule: string,
  { behavior, destination }: { readonly behavior: string; readonly destination: string },
) {
  const quoted = `'${rule.replaceAll("'", `'\\''`)}'`
  return `troupe permissions add ${quoted}${flags[behavior] ?? ''}${flags[destination] ?? ''}`
}

/** A rule in the words of `permission_suggestions`: `suggestionOf('Bash(git push *)')`. */
export function suggestionOf(rule: string): object {
  const [, toolName = rule, ruleContent] = /^([^(]+)\(([^]*)\)$/.exec(rule) ?? []
  return {
    type: 'addRules',
    rules: [{ toolName, ...(ruleContent === undefined ? {} : { ruleContent }) }],
    behavior: 'allow',
    destination: 'localSettings',
  }
}
