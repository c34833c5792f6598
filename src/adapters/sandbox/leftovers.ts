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

/** Takes the seconds of the beginning from `began`, directories from `watched`, repositories of before from `known`. */
export const disarm = `armed() { local hook
git config --file "$1/config" --name-only --list 2>/dev/null | grep -Eivx -m 1 '${harmless}' && return
for hook in "$1"/hooks/*; do case "$hook" in *.sample) ;; *) [ -f "$hook" ] && [ -x "$hook" ] && echo "hooks/\${hook##*/}" && return ;; esac; done
[ -e "$1/commondir" ] && ! isKnown "$1" && echo commondir; }
isKnown() { local each; for each in "\${known[@]}"; do [ "$each" = "$1" ] && return; done; return 1; }
isRepository() { [ -e "$1/HEAD" ] && [ -d "$1/objects" ] && [ -d "$1/refs" ]; }
setAside() { mv -T -- "$1" "$1.left" 2>/dev/null && echo "The sandbox left $1 as $1.left: $2 of the repository would run a program outside." >&2; }
tame() { local todo=$1/rebase-merge/git-rebase-todo; [ -e "$todo" ] && [ "$(stat -Lc %Z -- "$todo")" -ge "$began" ] || return
if [ -L "$1/rebase-merge" ] || [ -L "$todo" ]; then rm -f -- "$1/rebase-merge" "$todo"; else
grep -Eq '^[[:space:]]*(x|exec)([[:space:]]|$)' -- "$todo" || return; sed -i -E '/^[[:space:]]*(x|exec)([[:space:]]|$)/d' -- "$todo"; fi 2>/dev/null
echo "The sandbox took out of $todo what would run a program outside." >&2; }
for each in "\${known[@]}"; do tame "$each"; done
while IFS= read -r -d '' each; do at=\${each%/*} to=
case "$each" in */.git) [ -f "$each" ] && read -r _ to < "$each"; [ -z "$to" ] && continue; case "$to" in /*) ;; *) to=$at/$to ;; esac; to=$(realpath -m -- "$to") ;; *) to=$at ;; esac
isRepository "$to" && ! isKnown "$to" || continue; tame "$to"; why=$(armed "$to"); [ -z "$why" ] && continue
case "$each" in */.git) setAside "$each" "$why" ;; *) setAside "$at/HEAD" "$why" ;; esac
done < <([ "\${#watched[@]}" -eq 0 ] || find "\${watched[@]}" -xdev \\( -name node_modules -o -path '*/objects/*' \\) -prune -o \\( -name HEAD -o -name config -o -name refs -o -name objects -o -name hooks -o -path '*/hooks/*' -o -name .git -type f \\) -newerct "@$began" -print0 2>/dev/null | sed -z 's|/hooks/.*|/hooks|')`
