/** Sources that allow the inline scripts and styles of the site by their hash. */
interface Inline {
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}

/** The guides; Vue makes their markup itself. */
export function guidesPolicy(inline: Inline): string {
  return `${referencePolicy(inline)}; require-trusted-types-for 'script'; trusted-types vue`
}

/** A key that is typed into the reference is sent to its own origin only. Swagger UI has no trusted types. */
export function referencePolicy({ scripts, styles }: Inline): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${scripts.join(' ')}`,
    `style-src 'self' ${styles.join(' ')}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
