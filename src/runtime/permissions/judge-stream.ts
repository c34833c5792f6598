import { lineJudge } from './judge-lines.ts'
import { policyAt, type PlaceOfMember } from './permission-report.ts'

/** Answers are handed on in pieces of about this many characters. */
const piece = 64 * 1024

/**
 * Judges a stream of JSON lines, as `troupe permissions test` does; memory does not grow with its length.
 *
 * @param chunks Text in any pieces; lines end with a line feed.
 * @param write Takes the answers, a few lines at once; waited for.
 * @example await judgeLines(process.stdin, place, async (text) => void process.stdout.write(text))
 */
export async function judgeLines(
  chunks: AsyncIterable<string>,
  place: PlaceOfMember,
  write: (text: string) => Promise<void>,
): Promise<{ readonly mistakes: number }> {
  const { policy } = await policyAt(place)
  const judge = lineJudge(policy, place)
  let rest = ''
  let answers = ''
  const answer = (line: string): void => {
    if (line.trim() !== '') answers += `${JSON.stringify(judge.judge(line))}\n`
  }
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      answer(line)
      if (answers.length >= piece) {
        await write(answers)
        answers = ''
      }
    }
    // Lines that came are answered before the next ones are waited for.
    if (answers !== '') await write(answers)
    answers = ''
  }
  answer(rest)
  if (answers !== '') await write(answers)
  return { mistakes: judge.mistakes }
}
