/**
 * Files and folders whose change alters what tools, editors, shells or git run later on. Rules ask before they are changed,
 * and in a sandbox they cannot be changed at all.
 */
const folders = new Set(
  `.git .claude .agents .troupe .vscode .idea .husky .devcontainer .cursor .gemini .codex .zed .windsurf .aider .cargo .mvn
  .circleci .direnv .ssh .gnupg .bundle`.split(/\s+/),
)
const files = new Set(
  `.gitconfig .gitmodules .gitattributes .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .zshrc .zshenv
  .zprofile .zlogin .zlogout .profile .inputrc .envrc .direnvrc .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .mcp.json
  .claude.json .ripgreprc .pre-commit-config.yaml lefthook.yml .lefthook.yml lefthook.yaml .gdbinit .lldbinit .exrc .vimrc
  .nvimrc .nvim.lua .tmux.conf .screenrc .mise.toml mise.toml .tool-versions .rtx.toml .gitlab-ci.yml .travis.yml
  .cursorrules .windsurfrules agents.md claude.md gemini.md .sublime-project .pythonstartup sitecustomize.py
  usercustomize.py .pypirc .netrc .curlrc .wgetrc .condarc .bazelrc .buckconfig .terraformrc .rprofile .renviron .irbrc
  .pryrc .psqlrc .sqliterc .hgrc .perltidyrc .ackrc .bundlerc .buildkite .env-vars .xprofile .xinitrc`.split(/\s+/),
)

/** `configuresTools('sub/.git/hooks/pre-commit')`: the path inside a directory names one of them, or lies in one. */
export function configuresTools(path: string): boolean {
  const segments = path.toLowerCase().split('/')
  if (segments.some((segment) => folders.has(segment)) || files.has(segments.at(-1) ?? '')) return true
  return /(^|\/)(teams\/[^/]+\.ya?ml|\.github\/(workflows|actions)\/.+)$/.test(path)
}
