/** The call itself asks to run without the sandbox. */
export function leavesSandbox(input: Readonly<Record<string, unknown>>): boolean {
  return input['dangerously_disable_sandbox'] === true
}
