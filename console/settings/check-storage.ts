/** Results of a test of one origin of stored files. */
export interface StorageFindings {
  readonly origin: string
  /** `unknown`: the account has no stored file to read. */
  readonly cors: 'allowed' | 'refused' | 'no-answer' | 'unknown'
  /** The page is on https and the storage on http. */
  readonly isMixed: boolean
  /** "h2" or "http/1.1"; null: the browser does not tell. */
  readonly protocol: string | null
}

interface Place {
  /** Origin of the page. */
  readonly page: string
  readonly origin: string
  /** A stored file there; null without one. */
  readonly fileUrl: string | null
}

interface Browser {
  readonly fetch: typeof fetch
  /** Protocol of a request that has been made. */
  readonly protocolOf: (url: string) => string | null
}

/** Reads one byte as a script would; an opaque request needs no permission and shows whether it answers. */
export async function checkStorage(
  { page, origin, fileUrl }: Place,
  browser: Browser,
): Promise<StorageFindings> {
  const isMixed = page.startsWith('https:') && origin.startsWith('http:')
  if (isMixed) return { origin, cors: 'no-answer', isMixed, protocol: null }
  const url = fileUrl ?? origin
  const cors = fileUrl === null ? await answers(url, browser) : await reads(url, browser)
  return { origin, cors, isMixed, protocol: browser.protocolOf(url) }
}

async function reads(url: string, browser: Browser): Promise<StorageFindings['cors']> {
  try {
    const response = await browser.fetch(url, {
      headers: { Range: 'bytes=0-0' },
      cache: 'no-store',
    })
    await response.body?.cancel()
    return 'allowed'
  } catch {
    return (await answers(url, browser)) === 'unknown' ? 'refused' : 'no-answer'
  }
}

async function answers(url: string, { fetch }: Browser): Promise<'unknown' | 'no-answer'> {
  try {
    await fetch(url, { mode: 'no-cors', cache: 'no-store' })
    return 'unknown'
  } catch {
    return 'no-answer'
  }
}

export interface Verdict {
  readonly tone: 'good' | 'bad' | 'muted'
  readonly title: string
  readonly text: string
}

/** The findings in words, each with what to do about it. */
export function verdictsOf({ origin, cors, isMixed, protocol }: StorageFindings): Verdict[] {
  if (isMixed) {
    return [
      {
        tone: 'bad',
        title: 'https',
        text: 'The browser blocks the storage: this page is on https and the storage on http. Chart value storage.publicEndpoint gives it an address on https.',
      },
    ]
  }
  return [
    corsVerdict(cors),
    origin.startsWith('http:')
      ? {
          tone: 'muted',
          title: 'https',
          text: 'Not used: others on the network can read stored files on their way.',
        }
      : { tone: 'good', title: 'https', text: 'Used by the storage, so no page blocks its files.' },
    protocolVerdict(protocol),
  ]
}

function corsVerdict(cors: StorageFindings['cors']): Verdict {
  const title = 'CORS'
  switch (cors) {
    case 'allowed':
      return {
        tone: 'good',
        title,
        text: 'This page may read stored files; uploads and waveforms work.',
      }
    case 'refused':
      return {
        tone: 'bad',
        title,
        text: 'The storage answers but does not allow this page. Pictures and videos play; uploads and waveforms do not.',
      }
    case 'no-answer':
      return { tone: 'bad', title, text: 'The storage does not answer this browser.' }
    case 'unknown':
      return {
        tone: 'muted',
        title,
        text: 'Not checked: no file is stored yet. Run the sample, then check again.',
      }
  }
}

function protocolVerdict(protocol: string | null): Verdict {
  const title = 'HTTP/2'
  if (protocol === null) {
    return {
      tone: 'muted',
      title,
      text: 'The browser does not tell: the storage sends no Timing-Allow-Origin.',
    }
  }
  return protocol === 'h2' || protocol === 'h3'
    ? { tone: 'good', title, text: `Spoken (${protocol}).` }
    : {
        tone: 'muted',
        title,
        text: `Not spoken (${protocol}): a browser has 6 connections per host, so parts of an upload wait for each other.`,
      }
}
