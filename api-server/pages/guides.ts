import { readFileSync } from 'node:fs'
import path from 'node:path'
import { page } from '../server/routes.ts'
import type { Route } from '../server/routes.ts'

/** Files of the repository's `docs`; the image holds them at the same place. */
export const guideNames = ['getting-started', 'recipes'] as const

/** `/docs/guides/NAME`: a guide as Markdown. It needs no key. */
export function guides(): Route[] {
  return guideNames.map((name) => {
    const file = path.resolve(import.meta.dirname, '../../docs', `${name}.md`)
    // Read at start-up: an image without its guides must not start.
    const text = readFileSync(file, 'utf8')
    // Browsers show plain text and download Markdown.
    const headers = {
      'Content-Type': 'text/plain; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
    }
    return page(`/docs/guides/${name}`, () => ({ status: 200, body: undefined, text, headers }))
  })
}
