import { page } from '../server/routes.ts'
import { consoleAnswers, pagePaths } from './console-answers.ts'
import type { Answer } from '../http/errors.ts'
import type { Route } from '../server/routes.ts'
import type { ConsoleAnswer, ConsoleOptions } from './console-answers.ts'

/**
 * `/console` and its pages. They need no key: the page has a field for one, and sends it in the header that
 * all clients send.
 */
export function consolePages(options: ConsoleOptions): Route[] {
  const answers = consoleAnswers(options)
  return [
    page('/console/config.json', () => answer(answers.config())),
    page('/console/assets/{name}', ({ path, request }) => {
      const name = path.replace(/\/$/, '').split('/').at(-1) ?? ''
      return answer(answers.asset(name, request.headers['accept-encoding']))
    }),
    ...pagePaths.map((path) =>
      page(path, ({ sentPath, request }) => answer(answers.page(sentPath, request.headers))),
    ),
  ]
}

function answer({ headers, content }: ConsoleAnswer): Answer {
  return { status: 200, body: undefined, text: content, headers }
}
