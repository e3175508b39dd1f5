import { createHash } from 'node:crypto'
import packageFile from '../../package.json' with { type: 'json' }
import { page } from '../server/routes.ts'
import { prefersHtml } from './prefers-html.ts'
import type { Route } from '../server/routes.ts'

/**
 * `/`: HTML with five links for browsers, JSON for programs. It needs no key and no database.
 */
export function landingPage(): Route {
  return page('/', ({ sentPath, request }) => {
    const base = baseOfLinks(sentPath)
    // A shared cache must not answer a browser with the JSON for a program.
    const vary = { Vary: 'Accept' }
    if (!prefersHtml(request.headers.accept)) {
      const { name, version } = packageFile
      const body = {
        ...{ name, version, docs: `${base}docs`, openapi: `${base}openapi.json` },
        console: null,
      }
      return { status: 200, body, headers: vary }
    }
    const headers = {
      ...vary,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    }
    return { status: 200, body: undefined, text: pageWith(base), headers }
  })
}

/** Links are relative, because a proxy may serve this page below a path that is unknown here. */
function baseOfLinks(path: string): string {
  return path.endsWith('/') ? '' : `${path.slice(path.lastIndexOf('/') + 1)}/`
}

const links = [
  ['docs', 'API', 'all calls; try them with your key'],
  ['docs/guides/getting-started', 'Getting started', 'from a key to a finished file'],
  ['docs/guides/recipes', 'Recipes', 'commands that people ask for, each with its result'],
  ['openapi.json', 'openapi.json', 'the description for programs'],
  ['readyz', 'Health', 'whether requests are served now'],
] as const

const style = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
  main { max-width: 44rem; margin: 3rem auto; padding: 0 1rem }
  small { font-weight: 400 }
  pre { padding: .75rem; border: 1px solid GrayText; border-radius: .25rem; overflow-x: auto;
    font: .875rem/1.5 ui-monospace, monospace }
  :focus-visible { outline: 3px solid Highlight; outline-offset: 2px }
`

/** A proxy that strips its own path may take the path without a slash, where relative links miss. */
const script = `
  if (!location.pathname.endsWith('/')) location.replace(location.pathname + '/')
`

const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

function pageWith(base: string): string {
  const items = links.map(
    ([path, name, meaning]) => `<li><a href="${base}${path}">${name}</a>: ${meaning}</li>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Cloud FFmpeg</title>
<style>${style}</style>
<script>${script}</script>
</head>
<body>
<main>
<h1>Cloud FFmpeg <small>${packageFile.version}</small></h1>
<p>FFmpeg commands over HTTP, run on Kubernetes.</p>
<ul>
${items.join('\n')}
</ul>
<p>A first command, which needs no input file:</p>
<pre>curl -s $CLOUD_FFMPEG_URL/v1/run-ffmpeg-command \\
  -H "X-API-KEY: $CLOUD_FFMPEG_API_KEY" -d '{
  "input_files": {},
  "output_files": {"out_1": "test.mp4"},
  "ffmpeg_command": "-f lavfi -i testsrc2=duration=5 {{out_1}}"
}'</pre>
</main>
</body>
</html>
`
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
