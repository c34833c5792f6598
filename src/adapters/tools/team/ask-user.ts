import { z } from 'zod'
import { answeredBy, type OpenQuestion } from '../../../protocol/tools/own-question.ts'
import { answer, complaint } from '../define/answer.ts'
import { defineTool } from '../define/define-tool.ts'
import { promptText } from '../prompts/prompt-text.ts'

const question = z.string().min(1).max(4_000)
const label = z.string().min(1).max(300)
const mostQuestions = 9

const asked = z.strictObject({
  question: question.describe('The question, complete in itself: the person sees nothing else.'),
  header: z.string().max(40).optional().describe('Its topic in a word or two.'),
  options: z
    .array(z.union([label, z.strictObject({ label, description: z.string().max(1_000).optional() })]))
    .max(9)
    .optional()
    .describe('Answers to choose from, the one you would take first; a description says what an option means.'),
  multiSelect: z.boolean().optional().describe('More than one option may be chosen.'),
})

const nobody =
  'Nobody is there to answer. Decide yourself what is most sensible, and say in your result what you assumed.'

/** Puts questions to the person who runs the team, one after another. */
export const askUser = defineTool({
  name: 'AskUser',
  aliases: ['ask_user', 'AskUserQuestion'],
  description: promptText('ask-user'),
  input: z.strictObject({
    question: question.optional().describe('One question, complete in itself: the person sees nothing else.'),
    options: asked.shape.options,
    multiSelect: asked.shape.multiSelect,
    questions: z
      .array(asked)
      .min(1)
      .max(mostQuestions)
      .optional()
      .describe('Several questions instead of one; all answers come back together.'),
  }),
  effect: 'none',
  isDestructive: () => false,
  interrupt: 'cancel',
  requiresInteraction: true,
  // People take their time.
  timeout: null,
  async check({ question: one, questions, options, multiSelect }) {
    if ((one === undefined) === (questions === undefined)) return 'Give either question or questions.'
    const isMixed = questions !== undefined && (options !== undefined || multiSelect !== undefined)
    return isMixed ? 'options and multiSelect belong to a question: put them into questions.' : null
  },
  async run({ questions, question: one = '', ...single }, { ask, signal }) {
    if (!ask) return complaint(nobody)
    const given: (string | null)[] = []
    for (const each of openQuestions(questions ?? [{ question: one, ...single }])) given.push(await ask(each, signal))
    if (given.every((words) => words === null)) return complaint(nobody)
    const [only] = given
    return answer(`${answeredBy}${given.length === 1 ? only : numbered(given)}`)
  },
})

function openQuestions(questions: readonly z.infer<typeof asked>[]): readonly OpenQuestion[] {
  return questions.map(({ question: words, header = '', options = [], multiSelect }, n) => {
    const details = options.map((option) => (typeof option === 'string' ? '' : (option.description ?? '')))
    const place = questions.length > 1 ? `${n + 1} of ${questions.length}` : ''
    const heading = [place, header].filter((part) => part !== '').join(' · ')
    return {
      question: words,
      options: options.map((option) => (typeof option === 'string' ? option : option.label)),
      ...(details.every((detail) => detail === '') ? {} : { details }),
      ...(multiSelect ? { several: true } : {}),
      ...(heading === '' ? {} : { heading }),
    }
  })
}

/** The answers in the order of their questions, which the model knows: here stand words of the person alone. */
function numbered(given: readonly (string | null)[]): string {
  const unanswered = '(nobody answered: decide yourself, and say what you assumed)'
  return given.map((words, n) => `\n${n + 1}. ${words ?? unanswered}`).join('')
}
