import { call, delegate, type Scene } from './scene.ts'

/** A question over code and a document that disagree; the skeptic corrects two of the three conclusions. */
export const research: Scene = {
  team: 'research',
  task: 'What does this project try again when it fails, how often, and what never? Can we trust docs/operations.md?',
  committed: {
    'package.json': '{ "name": "reports", "type": "module" }\n',
    'docs/operations.md': `# Operations

Mail that cannot be delivered is tried twice more.
HTTP requests and jobs are repeated when they fail.
`,
    'src/http.js': `/** Fetches; asks again while the server has trouble. */
export async function get(url, attempts = 3) {
  const response = await fetch(url)
  if (response.status >= 500 && attempts > 1) return get(url, attempts - 1)
  return response
}
`,
    'src/jobs.js': `const delays = [1_000, 5_000, 25_000]

/** Runs a job; one that throws is run again after each of the delays. */
export async function runJob(job, { sleep, tries = 0 }) {
  try {
    return await job()
  } catch (error) {
    if (error.permanent || tries >= delays.length) throw error
    await sleep(delays[tries])
    return runJob(job, { sleep, tries: tries + 1 })
  }
}
`,
    'src/mail.js': `import { connect } from './smtp.js'

export async function sendMail(message) {
  const server = await connect()
  await server.deliver(message)
}
`,
    'src/nightly.js': `import { runJob } from './jobs.js'
import { sendMail } from './mail.js'

export const nightly = (report, clock) => runJob(() => sendMail(report), clock)
`,
    'src/smtp.js': `export async function connect() {
  throw new Error('no server is set up')
}
`,
  },
  answers: {
    lead: [
      {
        say: 'Three mechanisms, three parts.',
        calls: delegate(
          [
            'researcher-1',
            'Which HTTP requests are tried again, on which failures, how often, with what pause? It matters because the document claims all of them are. Start at src/http.js. Complete: every condition in the code that leads to or prevents another attempt.',
          ],
          [
            'researcher-2',
            'Which jobs are run again, on which failures, how often, with what pause? Start at src/jobs.js. Complete: the largest number of runs, the pauses, and what ends the repetition early.',
          ],
          [
            'researcher-3',
            'Is mail tried again when it cannot be delivered? docs/operations.md says so. Start at src/mail.js and that document. Complete: the code that does it, or where you looked for it in vain.',
          ],
        ),
      },
      {
        say: 'The parts are in. The skeptic gets the draft.',
        calls: delegate([
          'skeptic',
          `Try to break these conclusions.
1. HTTP requests are tried up to three times when they fail, without a pause. Evidence: src/http.js:4 "if (response.status >= 500 && attempts > 1) return get(url, attempts - 1)", src/http.js:2 "attempts = 3".
2. Jobs are run up to four times, with pauses of 1, 5 and 25 seconds, unless the error is permanent. Evidence: src/jobs.js:1 "[1_000, 5_000, 25_000]", src/jobs.js:8 "if (error.permanent || tries >= delays.length) throw error".
3. Mail is never tried again; docs/operations.md:3 "Mail that cannot be delivered is tried twice more." is wrong. Evidence: src/mail.js:5 "await server.deliver(message)" stands alone, no loop and no catch around it.`,
        ]),
      },
      {
        say: `Jobs are run up to four times, and HTTP requests are sent up to three times but only while the server answers with 5xx. Mail by itself is sent once; the nightly report is mailed inside a job and therefore up to four times. \`docs/operations.md\` cannot be trusted on mail, and says too much about HTTP.

Findings
- HTTP: a status of 500 or more is tried again at once, three requests in all (\`src/http.js:4\`, \`src/http.js:2\`). A connection that fails is not: \`src/http.js:3\` lets the error through. Shown.
- Jobs: four runs, with pauses of 1, 5 and 25 seconds (\`src/jobs.js:1\`), ended early by \`error.permanent\` (\`src/jobs.js:8\`). Shown.
- Mail: \`src/mail.js:5\` delivers once. \`docs/operations.md:3\` promises two more attempts that no code makes. Shown.
- The exception: \`src/nightly.js:4\` sends its mail as a job, so a failed delivery is repeated up to three times. Shown. A report may arrive twice when delivery fails after the server took it. Inferred.

Not established: whether anything ever sets \`permanent\` on an error; nothing in the repository does. A run against a real mail server would settle whether reports arrive twice.`,
      },
    ],
    'researcher-1': [
      {
        say: 'Wide first.',
        calls: [
          call('Grep', { pattern: 'retry|retries|attempt|again|fetch\\(', output_mode: 'content', '-i': true }),
          call('Read', { file_path: 'src/http.js' }),
        ],
      },
      { calls: [call('Grep', { pattern: 'http\\.js|get\\(', output_mode: 'content' })] },
      {
        say: `- Answer: get() sends a request up to three times while the server answers with 500 or more, without a pause.
- Evidence: src/http.js:2 "attempts = 3"; src/http.js:4 "if (response.status >= 500 && attempts > 1) return get(url, attempts - 1)".
- Against: docs/operations.md:4 says "repeated when they fail", which is wider than 5xx.
- Looked in vain: other callers of fetch, and callers of get (Grep "fetch\\(", "http\\.js"); there are none.
- Open: nothing.`,
      },
    ],
    'researcher-2': [
      {
        calls: [
          call('Read', { file_path: 'src/jobs.js' }),
          call('Grep', { pattern: 'runJob|permanent', output_mode: 'content' }),
        ],
      },
      {
        say: `- Answer: a job that throws is run again after 1, 5 and 25 seconds, so four times at most.
- Evidence: src/jobs.js:1 "const delays = [1_000, 5_000, 25_000]"; src/jobs.js:8 "if (error.permanent || tries >= delays.length) throw error"; src/jobs.js:9 "await sleep(delays[tries])".
- Against: an error with permanent set ends it at once (src/jobs.js:8).
- Looked in vain: anything that sets permanent (Grep "permanent"); only src/jobs.js:8 reads it.
- Open: nothing.`,
      },
    ],
    'researcher-3': [
      {
        calls: [
          call('Read', { file_path: 'src/mail.js' }),
          call('Read', { file_path: 'docs/operations.md' }),
          call('Read', { file_path: 'src/smtp.js' }),
        ],
      },
      {
        say: `- Answer: sendMail delivers once; nothing in it tries again, although the document says so.
- Evidence: src/mail.js:5 "await server.deliver(message)", no loop and no catch around it; src/smtp.js:2 "throw new Error('no server is set up')", nothing repeats the connection either.
- Against: docs/operations.md:3 "Mail that cannot be delivered is tried twice more."
- Looked in vain: a repetition in src/mail.js and src/smtp.js.
- Open: I did not look at who calls sendMail.`,
      },
    ],
    skeptic: [
      {
        say: 'I open the sources, and look for callers that change the picture.',
        calls: [
          call('Read', { file_path: 'src/http.js' }),
          call('Read', { file_path: 'src/jobs.js' }),
          call('Grep', { pattern: 'sendMail|runJob|permanent', output_mode: 'content' }),
        ],
      },
      { calls: [call('Read', { file_path: 'src/nightly.js' }), call('Read', { file_path: 'src/mail.js' })] },
      {
        say: `- 1: holds with a limit; src/http.js:3 "const response = await fetch(url)" is not caught, so a connection that fails is never tried again. It should read: "HTTP requests are sent up to three times while the server answers with 5xx."
- 2: holds; src/jobs.js:1 and src/jobs.js:8 say so. Nothing in the repository sets permanent.
- 3: does not hold as written; src/nightly.js:4 "runJob(() => sendMail(report), clock)" repeats mail as part of a job. It should read: "sendMail itself sends once; the nightly report is sent up to four times because it is a job." The document is wrong either way.`,
      },
    ],
  },
}
