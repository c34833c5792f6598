import { textOf, userMessage } from '../protocol/message.ts'
import type { Model } from '../protocol/model.ts'
import { classifierPrompt, classifierQuestion, classifierVerdict } from '../rules/classifier-text.ts'
import type { Classifier } from './asking.ts'

/** Under this name the classifier speaks to its model. */
const speaker = 'permission-classifier'

/**
 * A model that judges calls. It sees one call and no conversation; whatever it fails at is no opinion.
 *
 * @param model Any model; it is given no tools.
 * @example modelClassifier(await openModel('anthropic/…', options), '/home/ann/shop')
 */
export function modelClassifier(model: Model, cwd: string): Classifier {
  return async (question, signal) => {
    const text = classifierQuestion(question, cwd)
    if (text === null) return null
    const request = {
      agent: speaker,
      system: classifierPrompt,
      messages: [userMessage(text, 'runtime')],
      tools: [],
      max_tokens: 200,
    }
    for await (const event of model.stream(request, signal)) {
      if (event.type !== 'settled') continue
      const answer = event.message.stop === 'end' ? classifierVerdict(textOf(event.message)) : null
      return answer === null ? null : { ...answer, by: model.name }
    }
    return null
  }
}
