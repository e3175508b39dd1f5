import { createHash } from 'node:crypto'
import packageFile from '../../package.json' with { type: 'json' }
import { page } from '../middleware/page.ts'
import { sentPathOf } from '../middleware/request-context.ts'
import { prefersHtml } from './prefers-html.ts'
import type { Page } from '../middleware/page.ts'

/**
 * `/`: HTML with links for browsers, JSON for programs. It needs no key and no database.
 */
export function landingPage({ hasConsole }: { readonly hasConsole: boolean }): Page {
  return page('/', (req) => {
    const base = baseOfLinks(sentPathOf(req))
    // A shared cache must not answer a browser with the JSON for a program.
    const vary = { Vary: 'Accept' }
    if (!prefersHtml(req.headers.accept)) {
      const { name, version } = packageFile
      const body = {
        name,
        version,
        docs: `${base}docs`,
        openapi: `${base}openapi.json`,
        console: hasConsole ? `${base}console` : null,
      }
      return { status: 200, body, headers: vary }
    }
    const headers = {
      ...vary,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'no-referrer',
    }
    return { status: 200, body: undefined, text: pageWith(base, hasConsole), headers }
  })
}

/** Links are relative, because a proxy may serve this page below a path that is unknown here. */
function baseOfLinks(path: string): string {
  return path.endsWith('/') ? '' : `${path.slice(path.lastIndexOf('/') + 1)}/`
}

const consoleLink = [
  'console',
  'Console',
  'Your commands: what runs, what waits and why, what came out',
]

const links = [
  ['docs/', 'Docs', 'How it is used and run, with a search'],
  ['docs/guides/getting-started', 'Getting started', 'From a key to a finished file'],
  ['docs/guides/recipes', 'Recipes', 'Commands that people ask for, each with its result'],
  ['docs/api', 'API', 'All calls; try them with your key'],
  ['openapi.json', 'openapi.json', 'The description for programs'],
] as const

const mark =
  '<svg aria-hidden="true" width="28" height="28" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#0a5fc4"/><path d="M6 4.5v7l6-3.5z" fill="#fff"/></svg>'

const style = `
  :root { color-scheme: light dark; --line: light-dark(#8993a0, #667281); --accent: light-dark(#0a5fc4, #71b4ff);
    --edge: light-dark(#d5dae0, #2b333d);
    --muted: light-dark(#55606d, #9ba6b3); --raised: light-dark(#f5f7f9, #161c23) }
  body { margin: 0; background: light-dark(#ffffff, #0e1217); color: light-dark(#14181d, #e7ebf0);
    font: 1rem/1.5 system-ui, sans-serif }
  main { max-width: 46rem; margin: 0 auto; padding: 12vh 1.25rem 2rem }
  h1 { display: flex; flex-wrap: wrap; align-items: center; gap: 0 .5rem; margin: 0; font-size: 1.5rem; line-height: 1.25 }
  h2 { margin: 0; font-size: 1rem }
  small, .lead, li span { color: var(--muted); font-weight: 400 }
  .lead { margin: .25rem 0 1.5rem }
  ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: .75rem; margin: 0;
    padding: 0; list-style: none }
  li { position: relative; padding: .75rem 1rem; border: 1px solid var(--edge); border-radius: 6px }
  li:hover { background: var(--raised) }
  li a { color: var(--accent); font-weight: 600; text-decoration: none }
  li a::after { content: ''; position: absolute; inset: 0 }
  li span { display: block; font-size: .875rem }
  div { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0 1rem; margin: 2rem 0 .5rem }
  button { padding: .25rem .75rem; border: 1px solid var(--line); border-radius: 6px; background: none; color: inherit;
    font: inherit; font-size: .875rem; cursor: pointer }
  pre { margin: 0; padding: .75rem 1rem; background: var(--raised); border-radius: 6px; overflow-x: auto;
    font: .8125rem/1.5 ui-monospace, monospace }
  p a { color: var(--accent) }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
`

/**
 * A proxy that strips its own path may take the path without a slash, where relative links miss. The
 * example gets the address at which the browser reaches the service. The older way
 * of copying works over plain http too, where a page has no `navigator.clipboard`.
 */
const script = `
  if (!location.pathname.endsWith('/')) location.replace(location.pathname + '/')
  addEventListener('DOMContentLoaded', () => {
    document.querySelector('b').replaceWith(location.href.replace(/[?#].*$|\\/$/g, ''))
    const [button, example] = document.querySelectorAll('button, pre')
    button.hidden = false
    button.addEventListener('click', () => {
      getSelection().selectAllChildren(example)
      button.textContent = document.execCommand('copy') ? 'Copied' : 'Not copied: press Ctrl C'
    })
  })
`

const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

function pageWith(base: string, hasConsole: boolean): string {
  const items = [...(hasConsole ? [consoleLink] : []), ...links].map(
    ([path, name, meaning]) =>
      `<li><a href="${base}${path}">${name}</a><span>${meaning}</span></li>`,
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
<h1>${mark}Cloud FFmpeg <small>${packageFile.version}</small></h1>
<p class="lead">FFmpeg commands over HTTP, on your own Kubernetes.</p>
<ul>
${items.join('\n')}
</ul>
<div><h2>A first command, which needs no input file</h2> <button type="button" hidden>Copy</button></div>
<pre tabindex="0">curl -sS <b>$CLOUD_FFMPEG_URL</b>/v1/run-ffmpeg-command \\
  -H "X-API-KEY: $CLOUD_FFMPEG_API_KEY" -d '{
  "input_files": {},
  "output_files": {"out_1": "test.mp4"},
  "ffmpeg_command": "-f lavfi -i testsrc2=duration=5 {{out_1}}"
}'</pre>
<p><a href="${base}docs/guides/getting-started#address-and-key">How do I get a key?</a></p>
</main>
</body>
</html>
`
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
