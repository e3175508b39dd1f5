const shared = [
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
]

/** The guides run the scripts of their site, and the inline ones that it names by their hash; Vue makes its markup itself. */
export function guidesPolicy(inline: {
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${inline.scripts.join(' ')}`,
    `style-src 'self' ${inline.styles.join(' ')}`,
    ...shared,
    "require-trusted-types-for 'script'",
    'trusted-types vue',
  ].join('; ')
}

/** A key that is typed into the reference is sent to its own origin only. */
export const referencePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  ...shared,
].join('; ')

/** `/docs/api`: Swagger UI, with links relative to it. */
export function referencePage({
  script,
  style,
}: {
  readonly script: string
  readonly style: string
}): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API | Cloud FFmpeg</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="assets/${style}">
<script type="module" src="assets/${script}"></script>
</head>
<body>
<nav aria-label="Documentation"><a href="./">Docs</a> <a href="../console">Console</a> <a href="../openapi.json">openapi.json</a></nav>
<div id="api"></div>
<noscript>This page needs JavaScript. The API is described in <a href="../openapi.json">openapi.json</a>.</noscript>
</body>
</html>
`
}
