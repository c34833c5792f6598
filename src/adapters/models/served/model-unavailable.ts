import { failure, type Failure, type FailureCode } from '../../../protocol/conversation/failure.ts'

/** A model that cannot be opened: the name, the credential or the script is wrong. `failure.remedy` says what helps. */
export class ModelUnavailable extends Error {
  readonly failure: Failure

  constructor(code: FailureCode, message: string, remedy: string) {
    super(`${message}. ${remedy}`)
    this.name = 'ModelUnavailable'
    this.failure = failure(code, message, { remedy })
  }
}
