import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openapiText } from '../http/openapi.ts'
import { page } from './routes.ts'
import type { Answer } from '../http/errors.ts'
import type { Route } from './routes.ts'

/** Swagger UI from npm; the page loads nothing from another origin. */
const folder = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))
const assets = [
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['favicon-32x32.png', 'image/png'],
] as const

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
export function docsPage(): Route[] {
  return [
    page('/openapi.json', () => text('application/json; charset=utf-8', openapiText)),
    page('/docs', ({ path }) =>
      // Its links are relative, because a proxy may serve it below another path.
      path.endsWith('/')
        ? { status: 308, body: undefined, headers: { Location: '../docs' } }
        : text('text/html; charset=utf-8', html, {
            'Content-Security-Policy': policy,
            'Referrer-Policy': 'no-referrer',
          }),
    ),
    page('/docs/start.js', () => text('text/javascript; charset=utf-8', start)),
    ...assets.map(([name, type]) =>
      page(`/docs/${name}`, async () =>
        text(type, await readFile(join(folder, name)), {
          'Cache-Control': 'public, max-age=3600',
        }),
      ),
    ),
  ]
}

function text(
  type: string,
  content: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return {
    ...{ status: 200, body: undefined, text: content },
    headers: { 'Content-Type': type, 'X-Content-Type-Options': 'nosniff', ...headers },
  }
}

const html = `<!doctype html>
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
