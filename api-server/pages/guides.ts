import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Router } from 'express'
import { readOnlyRoute } from '../server/read-only-route.ts'

/** Files of the repository's `docs`; the image holds them at the same place. */
export const guideNames = ['getting-started', 'recipes'] as const

/** `/docs/guides/NAME`: a guide as Markdown. It needs no key. */
export function guides(): Router {
  const router = Router()
  for (const name of guideNames) {
    const file = path.resolve(import.meta.dirname, '../../docs', `${name}.md`)
    // Read at start-up: an image without its guides must not start.
    const text = readFileSync(file, 'utf8')
    readOnlyRoute(router, `/docs/guides/${name}`, (_request, response) => {
      // Browsers show plain text and download Markdown.
      response.type('text/plain').set('X-Content-Type-Options', 'nosniff').send(text)
    })
  }
  return router
}
