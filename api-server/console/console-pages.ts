import { page } from '../middleware/page.ts'
import { sentPathOf } from '../middleware/request-context.ts'
import { consoleAnswers, pagePaths } from './console-answers.ts'
import type { Answer } from '../http/errors.ts'
import type { Page } from '../middleware/page.ts'
import type { ConsoleAnswer, ConsoleOptions } from './console-answers.ts'

/**
 * `/console` and its pages. They need no key: the page has a field for one, and sends it in the header that
 * all clients send.
 */
export function consolePages(options: ConsoleOptions): Page[] {
  const answers = consoleAnswers(options)
  return [
    page('/console/config.json', () => answer(answers.config())),
    page('/console/assets/:name', ({ params, headers }) =>
      answer(answers.asset(String(params['name']), headers['accept-encoding'])),
    ),
    ...pagePaths.map((path) =>
      page(path, (req) => answer(answers.page(sentPathOf(req), req.headers))),
    ),
  ]
}

function answer({ headers, content }: ConsoleAnswer): Answer {
  return { status: 200, body: undefined, text: content, headers }
}
