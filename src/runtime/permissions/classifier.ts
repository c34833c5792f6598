import { textOf, userMessage } from '../../protocol/conversation/message.ts'
import type { Model } from '../../protocol/models/model.ts'
import { classifierPrompt, classifierQuestion, classifierVerdict } from '../../rules/conversation/classifier-text.ts'
import type { Classifier } from './approval-port.ts'

/** Under this name the classifier speaks to its model. */
const speaker = 'permission-classifier'

/**
 * A model that judges calls. It sees one call and no conversation; whatever it fails at is no opinion.
 *
 * @param model Any model; it is given no tools.
 * @example modelClassifier(await openModel('anthropic/…', options), '/home/ann/shop')
 */
export function modelClassifier(model: Model, cwd: string): Classifier {
  return async (question, consult, signal) => {
    const text = classifierQuestion(question, cwd)
    if (text === null) return null
    const request = {
      agent: speaker,
      system: classifierPrompt,
      messages: [userMessage(text, 'runtime')],
      tools: [],
      max_tokens: 200,
    }
    const message = await consult({ model, request, callId: question.call.id, purpose: 'permission', signal })
    const answer = message.stop === 'end' ? classifierVerdict(textOf(message)) : null
    return answer === null ? null : { ...answer, by: model.name }
  }
}
