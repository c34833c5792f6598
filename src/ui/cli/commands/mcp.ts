import { Option } from '@commander-js/extra-typings'
import { asJson, command, examples, repeated, type Context } from '../host/command.ts'

const scopes = ['local', 'user', 'project'] as const
const transports = ['stdio', 'http', 'sse', 'ws'] as const
const trusting = ['--trust', 'start it although nobody trusted its entry yet'] as const
const ofTeam = ['--team <team>', 'count the servers of this team, too'] as const

/** `troupe mcp list|add|remove|test|login|tools|call|serve` */
export function mcpCommand(context: Context) {
  return command('mcp', 'Look after MCP servers, and be one.')
    .addCommand(listCommand(context))
    .addCommand(addCommand(context))
    .addCommand(removeCommand(context))
    .addCommand(testCommand(context))
    .addCommand(loginCommand(context))
    .addCommand(toolsCommand(context))
    .addCommand(callCommand(context))
    .addCommand(serveCommand(context))
}

function listCommand({ host, finish }: Context) {
  return command('list', 'List the servers that count here, each with the file that it stands in.')
    .option(...ofTeam)
    .option(...asJson)
    .addHelpText('after', examples('troupe mcp list', 'troupe mcp list --team teams/ship.yaml'))
    .action((options) => finish(import('../acts/mcp.ts').then(({ listServers }) => listServers(options, host))))
}

function addCommand({ host, finish }: Context) {
  return command('add', 'Add a server: an address, or a program with its arguments after --.')
    .argument('<name>', 'the name that its tools will carry')
    .argument('<address-or-program...>', 'where it is, or how it is started')
    .addOption(
      new Option('--scope <scope>', 'for whom: you here, you everywhere, or the project')
        .choices(scopes)
        .default('local' as const),
    )
    .addOption(new Option('--transport <transport>', 'how it is spoken to').choices(transports))
    .option('--env <name=value>', 'a variable for the program (repeatable)', repeated)
    .option('--header <name: value>', 'a header of each request (repeatable)', repeated)
    .addHelpText(
      'after',
      examples(
        'troupe mcp add memory -- npx -y @modelcontextprotocol/server-memory',
        "troupe mcp add github https://api.githubcopilot.com/mcp/ --header 'Authorization: Bearer ${GITHUB_TOKEN}'",
      ),
    )
    .action((name, words, options) =>
      finish(import('../acts/mcp.ts').then(({ addNewServer }) => addNewServer(name, { ...options, words }, host))),
    )
}

function removeCommand({ host, finish }: Context) {
  return command('remove', 'Remove a server from the files of a scope.')
    .argument('<name>', 'its name')
    .addOption(new Option('--scope <scope>', 'of whom').choices(scopes).default('local' as const))
    .addHelpText('after', examples('troupe mcp remove memory --scope user'))
    .action((name, options) =>
      finish(import('../acts/mcp.ts').then(({ removeOldServer }) => removeOldServer(name, options, host))),
    )
}

function testCommand({ host, finish }: Context) {
  return command('test', 'Connect to a server, or to all, and say what came of it; 5 when one fails.')
    .argument('[name]', 'its name')
    .option(...ofTeam)
    .option(...trusting)
    .option(...asJson)
    .addHelpText('after', examples('troupe mcp test', 'troupe mcp test github'))
    .action((name, options) =>
      finish(import('../acts/mcp.ts').then(({ testServers }) => testServers(name, options, host))),
    )
}

function loginCommand({ host, finish }: Context) {
  return command('login', 'Log in to a server with your browser.')
    .argument('<name>', 'its name')
    .option(...ofTeam)
    .option(...trusting)
    .option('--no-browser', 'print the address instead of opening it')
    .addHelpText('after', examples('troupe mcp login github'))
    .action((name, options) => finish(import('../acts/mcp.ts').then(({ login }) => login(name, options, host))))
}

function toolsCommand({ host, finish }: Context) {
  return command(
    'tools',
    'List the tools, prompts and resources of a server, by the names that members and rules know.',
  )
    .argument('<name>', 'its name')
    .option(...ofTeam)
    .option(...trusting)
    .option(...asJson)
    .addHelpText('after', examples('troupe mcp tools memory'))
    .action((name, options) =>
      finish(import('../acts/mcp.ts').then(({ listServerTools }) => listServerTools(name, options, host))),
    )
}

function callCommand({ host, finish }: Context) {
  return command('call', 'Call a tool or prompt of a server yourself, without any rule, and print its result.')
    .argument('<name>', "the server's name")
    .argument('<tool>', "the tool's name, as the server has it or as members know it")
    .argument('[arguments]', 'its arguments as a JSON object', '{}')
    .option(...ofTeam)
    .option(...trusting)
    .option('--json', 'print the result as one JSON document')
    .addHelpText('after', examples(`troupe mcp call memory read_graph '{}'`))
    .action((...[name, tool, input, options]) =>
      finish(import('../acts/mcp.ts').then(({ callServer }) => callServer({ name, tool, input }, options, host))),
    )
}

function serveCommand({ host, finish }: Context) {
  return command('serve', 'Be an MCP server: offer teams as tools on standard input and output.')
    .option('--allow-answers', 'offer a tool that answers questions of members in your place')
    .addHelpText('after', examples('troupe mcp serve'))
    .action((options) => finish(import('../acts/serve/serve-mcp.ts').then(({ serveMcp }) => serveMcp(options, host))))
}
