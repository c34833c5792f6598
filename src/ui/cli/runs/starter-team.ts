/** The team file that `troupe init` writes: small, complete, and ready for a model. */
export function starterTeam(name: string): string {
  return `# yaml-language-server: $schema=./team.schema.json
name: ${name}
description: Answers questions about this repository.
# A model for everyone; or leave it out and give --model or TROUPE_MODEL.
# model: provider/model
budget: { turns: 60, minutes: 20 }
coordinator:
  prompt: |
    You lead two colleagues. Decide what has to be found out and who finds it out, hand out self-contained
    tasks with all the context they need, and write the answer yourself from what comes back.
  gather: { wait: all, timeout: 10m }
workers:
  reader:
    description: Reads code and reports what it does, with file names and line numbers.
    prompt: |
      You read code. Look before you answer, and name the file and line for each fact you report.
    tools: [Read, Grep, Glob, LS]
  historian:
    description: Reads the git history and reports who changed what, when and why.
    prompt: |
      You read git history with git log, git show and git diff. Name the commit for each fact you report.
    tools: [Read, Grep, Bash]
`
}
