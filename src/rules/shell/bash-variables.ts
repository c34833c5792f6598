/** Variables that say which program a name means, or what a program does besides what it is told. */
const steering =
  /^(PATH|IFS|CDPATH|HOME|SHELL|EDITOR|VISUAL|PAGER|BROWSER|SHELLOPTS|BASHOPTS|BASH_ENV|ENV|PS[0-4]|PROMPT_COMMAND|(LD|DYLD|GIT|NODE|PYTHON|PERL\d?|RUBY|JAVA|XDG|LESS|npm_config|BASH_FUNC)_?\w*|\w+_?(OPTIONS|OPTS|OPT|FLAGS|PAGER|EDITOR))$/

/** `steers('PATH')`: a command that follows may be another one now. */
export function steers(variable: string): boolean {
  return steering.test(variable)
}
