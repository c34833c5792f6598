import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stringify } from 'yaml'
import { addPlugin } from '../../../src/runtime/plugins/add-plugin.ts'
import { bareEnv } from '../../support/bare-env.ts'
import { tempDir } from '../support/stage.ts'

const program = fileURLToPath(new URL('../../support/mcp/odd-server-process.ts', import.meta.url))

/** A plugin with a part of each kind. */
export const fmt: Readonly<Record<string, string>> = {
  '.claude-plugin/plugin.json': JSON.stringify({ name: 'fmt', version: '1.0.0', commands: './more/extra.md' }),
  'commands/review.md':
    '---\ndescription: Reviews.\nallowed-tools: Bash(touch by-command)\n---\nMind @${CLAUDE_PLUGIN_ROOT}/rules.md !`touch by-command`',
  'more/extra.md': 'Extra.',
  'rules.md': 'No tabs at all.',
  'agents/reviewer.md':
    '---\nname: reviewer\ndescription: Reviews code.\ntools: Bash, mcp__plugin_fmt_odd\n---\nYou review.',
  'skills/style/SKILL.md': '---\nname: style\ndescription: The style.\n---\nNo tabs.',
  'hooks/hooks.json': JSON.stringify({
    description: 'Logs.',
    hooks: {
      PreToolUse: [
        { matcher: 'Bash', hooks: [{ type: 'command', command: 'sh "${CLAUDE_PLUGIN_ROOT}/hooks/log.sh"' }] },
      ],
    },
  }),
  'hooks/log.sh': 'echo ran >> "$CLAUDE_PROJECT_DIR/hooked"\n',
  '.mcp.json': JSON.stringify({
    odd: {
      command: process.execPath,
      args: [program, 'plain'],
      env: { WHERE: '${CLAUDE_PLUGIN_ROOT}' },
      required: true,
    },
  }),
  'teams/ship.yaml': stringify({
    name: 'ship',
    coordinator: { prompt: 'You ship.' },
    workers: { w: { from: '../agents/reviewer.md' } },
  }),
}

/** A home, a project and a directory with a plugin. */
export function desk(files: Readonly<Record<string, string>> = fmt) {
  const cwd = tempDir()
  const [home, source] = [join(cwd, 'home'), join(cwd, 'source')]
  const put = (name: string, text: string, under = source): void => {
    mkdirSync(dirname(join(under, name)), { recursive: true })
    writeFileSync(join(under, name), text)
  }
  for (const [name, text] of Object.entries(files)) put(name, text)
  const env = { ...bareEnv, HOME: home }
  const place = { cwd, home, env, at: '2026-01-01T00:00:00.000Z' }
  const add = (decision: 'trust' | 'keep' | 'drop', from = './source') =>
    addPlugin(from, place, () => Promise.resolve(decision))
  return { cwd, home, source, env, put, add }
}
