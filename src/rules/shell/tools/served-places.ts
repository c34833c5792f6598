/** Programs that give a directory to whoever asks over the network: those with an option, only where it is given. */
const servers: ReadonlyMap<string, RegExp> = new Map([
  ['serve', /^/],
  ['http-server', /^/],
  ['live-server', /^/],
  ['httpd', /^/],
  ['darkhttpd', /^/],
  ['webfsd', /^/],
  ['miniserve', /^/],
  ['static-web-server', /^/],
  ['caddy', /^file-server$/],
  ['browser-sync', /^(--server|-s|--serveStatic)/],
  ['php', /^-S/],
  ['ruby', /^(-run|httpd)$/],
  ['busybox', /^httpd$/],
  ['git', /^(daemon|instaweb)$/],
])

/** Options of these programs that take a value which is no place. */
const valued = /^(-[a-zA-Z]*[plahS]|--(listen|port|host|address|config|cors|ssl-cert|ssl-key|proxy))$/

/** `takesUnsaid('docker')`: the program may take files although nothing of its words says so. */
export function takesUnsaid(program: string): boolean {
  return servers.has(program) || loaders.has(program) || composers.has(program)
}

/**
 * The directories that a program gives to others as they are: those that it names, or the one in which it runs.
 *
 * @param values The program's name and the texts of its words.
 * @example servedPlaces(['http-server', 'dist']) // ['dist']
 */
export function servedPlaces([program = '', ...rest]: readonly string[]): readonly string[] {
  const option = servers.get(program)
  if (option === undefined || ![program, ...rest].some((value) => option.test(value))) return []
  const named = rest.filter((value, at) => !value.startsWith('-') && !valued.test(rest[at - 1] ?? ''))
  const places = named.filter((value) => /[./~]|^\w+$/.test(value) && !/^(httpd|daemon|file-server|\d+)$/.test(value))
  const glued = rest.flatMap((value) => /^(?:--[\w-]*=|-t)(.*[./~].*)$/.exec(value)?.[1] ?? [])
  return places.length + glued.length === 0 ? ['.'] : [...places, ...glued]
}

/** Programs that put the variables of `.env` into the environment of what they run. */
const loaders = new Set('dotenv dotenv-cli dotenvx env-cmd foreman nf honcho pipenv bun bunx'.split(' '))
const composers = new Set('docker podman nerdctl docker-compose podman-compose'.split(' '))
/** With one of these they show names, or the text as it is written. */
const briefly = /^(-q|--(quiet|services|volumes|images|profiles|networks|models|variables|hash|no-interpolate)(=.*)?)$/
/** Words that show variables: a command, a call, the name of one for a shell. */
const showing =
  /^(env|printenv|export|set|list|get|declare)$|\b(printenv|process\.env|Bun\.env|import\.meta\.env|environ|getenv|ENV)\b|\$\{?\w/

/**
 * The program reads `.env` by itself, and shows what stands in it.
 *
 * @param values The program's name and the texts of its words.
 * @example showsEnvironment(['docker', 'compose', 'config']) // true
 */
export function showsEnvironment([program = '', ...rest]: readonly string[]): boolean {
  if (composers.has(program)) {
    const isCompose = program.includes('compose') || rest.includes('compose')
    return (
      isCompose && rest.some((value) => /^(config|convert)$/.test(value)) && !rest.some((value) => briefly.test(value))
    )
  }
  return loaders.has(program) && rest.some((value) => showing.test(value))
}
