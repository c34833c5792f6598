const unseen =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/gu

/**
 * A text in which each sign that a browser obeys or shows nothing of is a mark: such signs could hide a part of a text, or
 * re-order it.
 */
export function withoutUnseen(text: string): string {
  return text.replace(unseen, '\u{fffd}')
}
