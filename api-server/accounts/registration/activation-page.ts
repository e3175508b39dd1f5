import { createHash } from 'node:crypto'
import { page } from '../../middleware/page.ts'
import type { Page } from '../../middleware/page.ts'

/**
 * `GET /activate?token=…`, the link of the mail. Opening it has no effect: mail scanners open every
 * link and would use up the token before its owner does. The page is the same for all tokens; its
 * script reads the token from the URL.
 */
export function activationPage(): Page {
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  }
  return page('/activate', () => ({ status: 200, body: undefined, text: html, headers }))
}

const style = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
  main { max-width: 36rem; margin: 3rem auto; padding: 0 1rem }
  label { display: block; font-weight: 600 }
  input, output { display: block; box-sizing: border-box; width: 100%; margin: .25rem 0 1rem;
    padding: .5rem; border: 1px solid GrayText; border-radius: .25rem;
    font: 1rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere }
  button { padding: .5rem 1rem; font: inherit }
  [role=alert] { font-weight: 600 }
  :focus-visible { outline: 3px solid Highlight; outline-offset: 2px }
`

const script = `
  const [form, field, problem, result, heading, key, copy] =
    ['form', 'token', 'problem', 'result', 'heading', 'key', 'copy']
      .map((id) => document.getElementById(id))
  // Below any prefix that the service is served under.
  const base = location.pathname.replace(/\\/activate\\/*$/, '')
  field.value = new URLSearchParams(location.search).get('token') ?? ''
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    problem.textContent = ''
    const button = form.querySelector('button')
    button.disabled = true
    try {
      const response = await fetch(base + '/v1/accounts/activate', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ token: field.value }),
      })
      const answer = await response.json()
      if (response.ok) show(answer)
      else problem.textContent = typeof answer.detail === 'string' ? answer.detail : 'The token is not valid.'
    } catch {
      problem.textContent = 'The service did not answer. Try again.'
    }
    button.disabled = false
  })
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(key.textContent)
    copy.textContent = 'Copied'
  })
  function show(answer) {
    // The token is used: it has no place in the history.
    history.replaceState(null, '', location.pathname)
    key.textContent = answer.api_key
    copy.hidden = !navigator.clipboard
    form.hidden = true
    result.hidden = false
    heading.focus()
  }
`

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Activate your Cloud FFmpeg account</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Cloud FFmpeg</h1>
<form id="form">
<label for="token">Token from the mail</label>
<input id="token" name="token" required autocomplete="off" autocapitalize="none" spellcheck="false">
<button>Activate and show my API key</button>
</form>
<p id="problem" role="alert"></p>
<section id="result" aria-labelledby="heading" hidden>
<h2 id="heading" tabindex="-1">Your API key</h2>
<output id="key" aria-label="API key"></output>
<button id="copy" type="button">Copy</button>
<p>It is shown this once: keep it where you keep passwords. Send it in the <code>X-API-KEY</code> header.</p>
</section>
<noscript><p>This page needs JavaScript. The mail says how to send the token from a terminal.</p></noscript>
</main>
<script>${script}</script>
</body>
</html>
`

const policy = [
  "default-src 'none'",
  `script-src '${hashOf(script)}'`,
  `style-src '${hashOf(style)}'`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
