import { createHash } from 'node:crypto'
import { Refusal, refusal } from '../http/errors.ts'
import { prefersHtml } from './prefers-html.ts'
import type { ApiRequest } from '../middleware/request-context.ts'

/** Below it programs call, also those that send a browser's Accept header. */
const calls = /^\/+v1(?:\/|$)/

/** 404 of an unknown path: HTML for a browser that reads a page, otherwise JSON with the detail. */
export function missingPage(req: ApiRequest, detail: string): Refusal {
  const vary = { Vary: 'Accept' }
  const isRead = req.method === 'GET' || req.method === 'HEAD'
  if (!isRead || calls.test(req.path) || !prefersHtml(req.headers.accept)) {
    return refusal(404, detail, vary)
  }
  const headers = {
    ...vary,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'no-referrer',
  }
  return new Refusal({ status: 404, body: undefined, text: pageFor(req.path), headers })
}

const style = `
  :root { color-scheme: light dark }
  body { max-width: 46rem; margin: 0 auto; padding: 12vh 1.25rem 2rem; background: light-dark(#ffffff, #0e1217);
    color: light-dark(#14181d, #e7ebf0); font: 1rem/1.5 system-ui, sans-serif }
  h1 { font-size: 1.5rem }
  a { color: light-dark(#0a5fc4, #71b4ff) }
`

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Nothing of the path is in the page but its depth: links are relative, because a proxy may serve it below another path. */
function pageFor(path: string): string {
  const base = '../'.repeat(path.split('/').length - 2) || './'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not found | Cloud FFmpeg</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>
<h1>This page does not exist</h1>
<p>Begin at the <a href="${base}docs/">guides</a>, which have a search, the <a href="${base}docs/api">API</a> or
the <a href="${base}">start page</a>.</p>
</main>
</body>
</html>
`
}
