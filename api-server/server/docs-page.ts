import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Router } from 'express'
import { openapiText } from '../http/openapi.ts'
import { readOnlyRoute } from './read-only-route.ts'

/** Swagger UI from npm; the page loads nothing from another origin. */
const assets = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))
const assetNames = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']

/**
 * The page may load from and call its own origin only, so a key typed into it is sent nowhere else.
 * Swagger UI writes style attributes and has its icons as data URLs.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The description of the API, and Swagger UI for it. They need no key. */
export function docsPage(): Router {
  const router = Router()
  readOnlyRoute(router, '/openapi.json', (_request, response) => {
    response.type('application/json').send(openapiText)
  })
  readOnlyRoute(router, '/docs', (request, response) => {
    // Its links are relative, because a proxy may serve it below another path.
    if (request.path.endsWith('/')) return response.redirect(308, '../docs')
    response.set({
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    })
    response.type('html').send(page)
  })
  readOnlyRoute(router, '/docs/start.js', (_request, response) => {
    response.type('text/javascript').set('X-Content-Type-Options', 'nosniff').send(start)
  })
  for (const name of assetNames) {
    readOnlyRoute(router, `/docs/${name}`, (_request, response) => {
      const headers = { 'X-Content-Type-Options': 'nosniff' }
      response.sendFile(name, { root: assets, maxAge: '1h', headers })
    })
  }
  return router
}

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Cloud FFmpeg API</title>
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="api"></div>
<noscript>This page needs JavaScript. The API is described in <a href="openapi.json">openapi.json</a>.</noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`

/** No validator: it would send the address of this service to a third party. */
const start = `SwaggerUIBundle({
  url: new URL('openapi.json', location.href).href,
  dom_id: '#api',
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
})
`
