import { expect } from 'chai'
import { checkStorage, verdictsOf } from './check-storage.ts'

const place = {
  page: 'https://ffmpeg.example',
  origin: 'https://media.example',
  fileUrl: 'https://media.example/files/a.mp4',
}

/** A browser in front of a storage that answers some modes. */
function browser(answering: readonly ('cors' | 'no-cors')[], protocol: string | null = 'h2') {
  const fetchIt = (async (_url: unknown, { mode = 'cors' }: RequestInit = {}) => {
    if (!answering.some((one) => one === mode)) throw new TypeError('Failed to fetch')
    return new Response('x')
  }) as typeof fetch
  return { fetch: fetchIt, protocolOf: () => protocol }
}

describe('the check of the storage', () => {
  const titles = async (...given: Parameters<typeof checkStorage>) =>
    verdictsOf(await checkStorage(...given)).map(({ tone, title }) => `${title} ${tone}`)

  it('finds nothing wrong where a script may read a file', async () => {
    expect(await titles(place, browser(['cors', 'no-cors']))).to.deep.equal([
      'CORS good',
      'https good',
      'HTTP/2 good',
    ])
  })

  it('tells a storage that refuses the page from one that does not answer', async () => {
    expect((await checkStorage(place, browser(['no-cors']))).cors).to.equal('refused')
    expect((await checkStorage(place, browser([]))).cors).to.equal('no-answer')
  })

  it('the check does not judge CORS without a file', async () => {
    const { cors } = await checkStorage({ ...place, fileUrl: null }, browser(['no-cors']))
    expect(cors).to.equal('unknown')
  })

  it('sends nothing where the browser would block it as mixed content', async () => {
    const http = { ...place, origin: 'http://media.example', fileUrl: 'http://media.example/a' }
    const silent = { ...browser([]), fetch: () => Promise.reject(new Error('sent')) }
    expect(await titles(http, silent)).to.deep.equal(['https bad'])
  })

  it('says which protocol is spoken, or that the browser does not tell', async () => {
    const words = async (protocol: string | null) =>
      verdictsOf(await checkStorage(place, browser(['cors'], protocol))).at(-1)?.text
    expect(await words('http/1.1')).to.contain('6 connections per host')
    expect(await words(null)).to.contain('Timing-Allow-Origin')
  })
})
