import { expect } from 'chai'
import { troubleOf } from './storage-trouble.ts'

const answers: typeof fetch = async () => new Response()
const away: typeof fetch = async () => {
  throw new TypeError('Failed to fetch')
}

describe('troubleOf', () => {
  const place = { origin: 'https://console.example', url: 'https://s3.example/b/k?partNumber=1' }

  it('names CORS and the command that allows it when the storage answers at all', async () => {
    const trouble = await troubleOf(place, answers)
    expect(trouble.message).to.contain('CORS')
    expect(trouble.remedy?.command).to.match(
      /admin storage cors --origin https:\/\/console\.example$/,
    )
  })

  it('the address is at fault when the storage does not answer', async () => {
    const trouble = await troubleOf(place, away)
    expect(trouble.message).to.contain('does not answer this browser at https://s3.example')
    expect(trouble.remedy).to.equal(null)
  })

  it('the browser is at fault where the page is on https and the storage is not', async () => {
    const trouble = await troubleOf({ ...place, url: 'http://s3.example/k' }, answers)
    expect(trouble.message).to.contain('this page is on https and the storage on http')
  })
})
