/*
 * Shell lines behind a sandboxed command: what the command left that git would run later, outside of any sandbox, is
 * made harmless and told. 1. A repository that was not there before stays one where its settings name no program and it has no hook. 2. Lines
 * of a rebase that would run something are taken out. 3. Files that did not change while the command ran are left alone.
 */

/** Settings of a repository that run nothing, as `git config --name-only` prints them. */
const harmless = [
  String.raw`core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|sparsecheckout(cone)?)`,
  String.raw`remote\..*\.(url|fetch|push|pushurl|mirror|tagopt|prune|promisor|partialclonefilter)`,
  String.raw`branch\..*\.(remote|merge|rebase|pushremote)`,
  String.raw`user\.(name|email)|init\.defaultbranch|pull\.(rebase|ff)|fetch\.prune|gc\..*|advice\..*|color\..*`,
  String.raw`submodule\.(active|.*\.(url|active|branch))`,
  String.raw`extensions\.(objectformat|partialclone|refstorage|compatobjectformat)`,
].join('|')

/**
 * Takes the seconds of the beginning from `began`, directories from `watched`, repositories of before from `known`. Whatever
 * git takes for a repository is one here (setup.c, is_git_directory); what names a repository outside of `watched`, where
 * its settings may change unseen, does not stay.
 */
export const disarm = `runs() { local each
for each in config config.worktree hooks; do [ -L "$1/$each" ] && echo "$each" && return
case "$each" in hooks) ;; *) git config --file "$1/$each" --name-only --list 2>/dev/null | grep -Eivx -m 1 '${harmless}' && return ;; esac; done
for each in "$1"/hooks/*; do case "$each" in *.sample) ;; *) [ -f "$each" ] && [ -x "$each" ] && echo "hooks/\${each##*/}" && return ;; esac; done; false; }
armed() { local line; runs "$1" || [ ! -e "$1/commondir" ] && return
oneLine "$1/commondir" && [ ! -L "$1/commondir" ] || { echo commondir; return; }
case "$line" in /*) ;; *) line=$1/$line ;; esac; isKnown "$line" && return
isRepository "$line" && isWatched "$line" && [ ! -e "$line/commondir" ] || { echo commondir; return; }; runs "$line"; }
oneLine() { [ -f "$1" ] || return; IFS= read -r line < "$1"; case "$line" in *$'\\r') return 1 ;; esac
printf '%s\\n' "$line" | cmp -s - "$1" || printf %s "$line" | cmp -s - "$1"; }
isKnown() { local each; for each in "\${known[@]}"; do [ "$each" -ef "$1" ] && return; done; return 1; }
isWatched() { local each real plain; IFS= read -r -d '' real < <(realpath -mz -- "$1"); IFS= read -r -d '' plain < <(realpath -msz -- "$1")
[ "$real" = "$plain" ] && for each in "\${watched[@]}"; do case "$real/" in "$each"/*) return ;; esac; done; return 1; }
isRepository() { { [ -e "$1/HEAD" ] || [ -L "$1/HEAD" ]; } && { [ -e "$1/commondir" ] || { [ -x "$1/objects" ] && [ -x "$1/refs" ]; }; }; }
setAside() { chmod u+wx -- "\${1%/*}" 2>/dev/null
if mv -T --backup=numbered -- "$1" "$1.left" 2>/dev/null; then echo "The sandbox left $1 as $1.left: $2 of the repository would run a program outside." >&2
else echo "The sandbox could not put $1 aside: $2 of the repository runs a program outside as soon as git is used there." >&2; fi; }
tame() { local todo=$1/rebase-merge/git-rebase-todo; [ -e "$todo" ] && [ "$(stat -Lc %Z -- "$todo")" -ge "$began" ] || return
if [ -L "$1/rebase-merge" ] || [ -L "$todo" ]; then rm -f -- "$1/rebase-merge" "$todo"; else
grep -Eq '^[[:space:]]*(x|exec)([[:space:]]|$)' -- "$todo" || return; sed -i -E '/^[[:space:]]*(x|exec)([[:space:]]|$)/d' -- "$todo"; fi 2>/dev/null
echo "The sandbox took out of $todo what would run a program outside." >&2; }
judge() { local why at=$1; isRepository "$at" && ! isKnown "$at" || return; tame "$at"; why=$(armed "$at"); [ -z "$why" ] && return
shift; for each in "$@"; do [ -e "$each" ] || [ -L "$each" ] && setAside "$each" "$why"; done; }
judgeNamed() { local line=$1; isKnown "$1" && return; if [ -f "$1" ]; then [ ! -L "$1" ] && oneLine "$1" || { setAside "$1" text; return; }
case "$line" in 'gitdir: /'*) line=\${line#gitdir: } ;; 'gitdir: '*) line=\${1%/*}/\${line#gitdir: } ;; *) return ;; esac; fi
isKnown "$line" && return; if isWatched "$line"; then judge "$line" "$1"; else setAside "$1" place; fi; }
for each in "\${known[@]}"; do tame "$each"; done; last=
while IFS= read -r -d '' each; do case "$each" in */.git) judgeNamed "$each"; continue ;; esac
at=\${each%/*}; [ "$at" = "$last" ] && continue; last=$at; judge "$at" "$at"/{refs,HEAD}
[ "\${at##*/}" = hooks ] && judge "\${at%/*}" "\${at%/*}"/{refs,HEAD}
done < <([ "\${#watched[@]}" -eq 0 ] || find "\${watched[@]}" -xdev \\( -type d ! -perm -500 -newerct "@$began" -exec chmod u+rx -- {} \\; -false \\) -o \\( -name HEAD -o -name config -o -name config.worktree -o -name commondir -o -name refs -o -name objects -o -name hooks -o -path '*/hooks/*' -o -name .git ! -type d \\) -newerct "@$began" -print0 2>/dev/null)`
