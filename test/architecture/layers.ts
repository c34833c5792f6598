/**
 * The layer table: who may import whom. A place is a folder; the longest place that fits a file is its layer.
 * `own` stands for the file's own room, a name ending in `/*` for every room below it.
 */
export interface Layer {
  readonly place: string
  readonly may: readonly string[]
  /** Packages from the registry that this place may import. */
  readonly packages: readonly string[]
  /** Node's own modules: none, any, or the listed ones. */
  readonly builtins: 'none' | 'any' | readonly string[]
  /** What of the outside world code here may not read by itself; it is handed in instead. */
  readonly unread: readonly Reading[]
}

export type Reading = 'clock' | 'random' | 'environment' | 'timer' | 'process' | 'place' | 'io'

const everything: readonly Reading[] = ['clock', 'random', 'environment', 'timer', 'process', 'place', 'io']
const handedIn: readonly Reading[] = ['clock', 'random', 'environment']

/** What any adapter may import beside its vendor's package. */
const adapter = (room: string, packages: readonly string[] = []): Layer => ({
  place: `src/adapters/${room}/`,
  may: ['src/protocol/', 'src/rules/', 'own', 'src/adapters/process/', 'src/adapters/fs/'],
  packages,
  builtins: 'any',
  unread: handedIn,
})

/** What an entry of the package may pass on. */
const entry = (place: string): Layer => ({
  place,
  may: ['src/protocol/', 'src/rules/', 'src/adapters/*', 'src/projections/', 'src/runtime/'],
  packages: [],
  builtins: 'none',
  unread: everything,
})

const face = (place: string, packages: readonly string[] = [], parts: readonly string[] = []): Layer => ({
  place,
  may: ['src/protocol/', 'src/projections/', 'src/runtime/', 'src/ui/text/', ...parts, 'own'],
  packages,
  builtins: 'any',
  unread: ['random'],
})

export const layers: readonly Layer[] = [
  { place: 'src/protocol/', may: ['own'], packages: ['zod'], builtins: 'none', unread: everything },
  {
    place: 'src/rules/',
    may: ['src/protocol/', 'own'],
    packages: ['unbash', 'minimatch', 'ignore', 'fastest-levenshtein'],
    // The grammar of shells is loaded when the first shell line comes.
    builtins: ['node:path/posix', 'node:module'],
    unread: everything,
  },
  {
    place: 'machines/',
    may: ['src/protocol/', 'src/rules/', 'own'],
    packages: ['xstate'],
    builtins: 'none',
    unread: everything,
  },
  adapter('approvers'),
  adapter('contracts', ['ajv']),
  adapter('executors'),
  adapter('fs', ['chokidar', '@silvia-odwyer/photon-node']),
  adapter('hooks'),
  adapter('live'),
  adapter('instructions', ['yaml']),
  adapter('lease', ['proper-lockfile']),
  adapter('mailbox', ['ulid']),
  adapter('memory', ['proper-lockfile', 'yaml', 'zod']),
  adapter('mcp', ['@modelcontextprotocol/sdk', 'zod']),
  adapter('models', ['yaml', 'zod', 'ulid', '@anthropic-ai/sdk', 'openai', '@pydantic/genai-prices']),
  adapter('notifications'),
  adapter('process', ['@lydell/node-pty', 'signal-exit']),
  adapter('plugins'),
  adapter('approvals'),
  adapter('sandbox'),
  adapter('sessions'),
  adapter('settings', ['chokidar', 'proper-lockfile', 'toml-eslint-parser', 'zod']),
  adapter('teams', ['yaml', 'zod']),
  adapter('telemetry', ['zod']),
  adapter('tools', [
    '@vscode/ripgrep',
    'ajv',
    'fastest-levenshtein',
    'ignore',
    'minimatch',
    'turndown',
    'undici',
    'unpdf',
    'zod',
  ]),
  adapter('worktrees'),
  {
    place: 'src/projections/',
    may: ['src/protocol/', 'src/rules/', 'own'],
    packages: [],
    builtins: 'none',
    unread: everything,
  },
  {
    place: 'src/runtime/',
    may: ['src/protocol/', 'src/rules/', 'machines/', 'src/adapters/*', 'src/projections/', 'own'],
    packages: ['xstate', 'ulid', 'zod'],
    builtins: 'any',
    unread: handedIn,
  },
  // How text looks on a terminal, for every face that has one.
  { place: 'src/ui/text/', may: ['own'], packages: ['string-width'], builtins: ['node:util'], unread: everything },
  // The command line opens the other face.
  face(
    'src/ui/cli/',
    ['commander', '@commander-js/extra-typings', 'diff'],
    ['src/ui/tui/', 'src/ui/web/', 'src/gateways/'],
  ),
  face('src/ui/web/'),
  // Runs in browsers: folds and texts, nothing of Node.
  {
    place: 'src/ui/web/dashboard/',
    may: ['src/protocol/', 'src/projections/', 'src/ui/text/figures.ts', 'src/ui/web/unseen-signs.ts', 'own'],
    packages: ['preact', 'elkjs', 'marked', 'diff', 'zod'],
    builtins: 'none',
    unread: ['random', 'environment', 'process', 'place'],
  },
  face('src/gateways/', ['@modelcontextprotocol/sdk', 'zod', 'hono', '@hono/node-server', 'ws']),
  face('src/ui/tui/', ['diff', 'marked', 'sugar-high']),
  entry('src/index.ts'),
  entry('src/agent.ts'),
  entry('src/tools.ts'),
  entry('src/runs.ts'),
]

/** The one file that may read what its layer may not, and why. An entry that is no longer needed is a failure. */
export interface Exception {
  readonly file: string
  readonly reads: readonly Reading[]
  readonly why: string
}

const frontDoor = 'a front door: what the caller left out is read once, here'

export const exceptions: readonly Exception[] = [
  {
    file: 'src/runtime/actors/clock.ts',
    reads: ['clock'],
    why: 'this is where time enters; everyone else receives it',
  },
  { file: 'src/runtime/actors/own-place.ts', reads: ['environment'], why: frontDoor },
  { file: 'src/runtime/agent/agent-options.ts', reads: ['environment'], why: frontDoor },
  { file: 'src/runtime/run/run-team.ts', reads: ['environment'], why: frontDoor },
  {
    file: 'src/adapters/fs/system-programs.ts',
    reads: ['environment'],
    why: 'programs for Troupe itself are found by its own PATH, whatever environment a member has',
  },
  {
    file: 'src/rules/shell/lines/shell-grammar.ts',
    reads: ['place'],
    why: 'a package that is only loaded when it is needed is looked for from here',
  },
  {
    file: 'src/adapters/sessions/run-key.ts',
    reads: ['random'],
    why: 'the one secret: nobody else may know or make it',
  },
  {
    file: 'src/runtime/settings/server-tokens.ts',
    reads: ['random'],
    why: 'the tokens, codes and sessions of a server, which nobody else may know or make',
  },
  {
    file: 'src/adapters/process/run-command.ts',
    reads: ['clock'],
    why: 'how long a program ran is told in words only, and nothing follows from it',
  },
  {
    file: 'src/adapters/lease/who-lives.ts',
    reads: ['clock'],
    why: 'how long a process was watched is measured by whoever watches, and the time of day may jump',
  },
]

/** The layer of a file, or undefined when it lies in no place of the table. */
export function layerOf(file: string, table: readonly Layer[] = layers): Layer | undefined {
  return table.filter((layer) => file.startsWith(layer.place)).toSorted((a, b) => b.place.length - a.place.length)[0]
}

/** Whether a file in `from` may import the file `target`. */
export function mayImport(from: Layer, target: string): boolean {
  return from.may.some((place) => {
    if (place === 'own') return target.startsWith(from.place)
    return target.startsWith(place.endsWith('*') ? place.slice(0, -1) : place)
  })
}
