/** Tests and actions of find with a text behind them: this is no test, whatever it looks like. */
export const findTestWithText =
  /^-(i?(name|path|wholename|lname|regex)|regextype|x?type|(max|min)depth|newer\w*|[ac]newer|[acm](time|min)|size|perm|user|group|uid|gid|links|inum|samefile|fstype|context|used|printf|fprint0?|fls|files0-from)$/
