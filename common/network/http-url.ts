/** Longest URL that the API takes, in characters. */
export const maxUrlLength = 8_192

const upload =
  'upload the file by POST /v1/files/init-upload, or by the command line tool, and send the storage_url of its record'

/**
 * Whether the text is an absolute http or https URL without user name and password. Whether anything answers there, and
 * whether the service may connect to it, is judged when the URL is fetched.
 */
export function isHttpUrl(text: string): boolean {
  const trimmed = text.trim()
  // URL drops tabs and line ends inside and encodes other control characters; no database stores NUL.
  if (trimmed.length > maxUrlLength || /[\p{Cc}\p{Cs}]/u.test(trimmed)) return false
  // URL would read `https:example.com` as absolute.
  if (!/^https?:\/\//i.test(trimmed) || !URL.canParse(trimmed)) return false
  const { username, password } = new URL(trimmed)
  return username === '' && password === ''
}

/** The field with what to do, for applied resources; null if the text is an http or https URL. */
export function urlProblem(field: string, text: string): string | null {
  return isHttpUrl(text) ? null : `${field}: ${urlAdvice(text)}`
}

/** Remedy where a value is not an http or https URL. */
export function urlAdvice(value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : ''
  return (
    advice.find(({ matches }) => matches.test(text))?.text(text) ??
    `Input should be an http or https URL of at most ${maxUrlLength} characters, without user name and password`
  )
}

/** The first that matches counts. */
const advice: readonly { matches: RegExp; text: (value: string) => string }[] = [
  {
    matches: /^s3:\/\//i,
    text: () =>
      "s3:// is not fetched; send an https URL that 'aws s3 presign' makes for the object, with at least the command's waiting time",
  },
  {
    matches: /^(gs|gcs|az|azure|wasbs?|abfss?|r2|b2|oss):\/\//i,
    text: (value) =>
      `${schemeOf(value)} is not fetched; send a signed https URL that the storage makes for the object`,
  },
  {
    matches: /^(s?ftps?|scp|ssh|smb|nfs|webdavs?|rsync|magnet|rtmps?|rtsp|srt|udp|rtp):/i,
    text: (value) =>
      `${schemeOf(value)} is not fetched; offer the file at an http or https URL, or ${upload}`,
  },
  {
    matches: /^(data|blob):/i,
    text: (value) => `${schemeOf(value)} URLs are not fetched; ${upload}`,
  },
  {
    matches: /^(file:|\/|\.{1,2}\/|~|[a-z]:[\\/]|\\\\)/i,
    text: () => `Input is a path of the client's own machine; ${upload}`,
  },
  {
    matches: /^https?:\/\/[^/?#]*@/i,
    text: () =>
      'Input contains a user name or password; send a signed URL, or a URL that needs neither',
  },
  {
    matches: /\{\{|\}\}/,
    text: () => 'Input contains a template {{…}} that was not filled in',
  },
  { matches: /^https?:/i, text: (value) => httpAdvice(value) },
  {
    matches: /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}(:\d+)?\//i,
    text: (value) => `Input has no scheme; did you mean 'https://${value.slice(0, 100)}'?`,
  },
  {
    matches: /^[^/:]+\.\w{2,4}$/,
    text: () => `Input is a file name, not a URL; ${upload}`,
  },
]

function httpAdvice(value: string): string {
  if (value.length > maxUrlLength) {
    return `Input should be a URL of at most ${maxUrlLength} characters; this one has ${value.length}`
  }
  if (!/^https?:\/\//i.test(value)) return "Input lacks '//' after its scheme"
  return 'Input is not a valid URL: check its host, port and percent-encoding; it must not contain control characters'
}

function schemeOf(value: string): string {
  return `${value.slice(0, value.indexOf(':'))}:`
}
