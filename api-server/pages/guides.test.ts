import { useApp } from '../app.fixture.ts'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { guideNames } from './guides.ts'

describe('the guides', () => {
  const app = useApp()

  for (const name of guideNames) {
    it(`shows docs/${name}.md as it is, without a key`, async () => {
      const file = path.resolve(import.meta.dirname, '../../docs', `${name}.md`)
      for (const base of ['', '/api']) {
        const answer = await fetch(`${app.url}${base}/docs/guides/${name}`)
        expect(answer.headers.get('content-type')).to.equal('text/plain; charset=utf-8')
        expect(await answer.text()).to.equal(await readFile(file, 'utf8'))
      }
    })
  }

  it('serves no other file', async () => {
    for (const name of ['cli', '../recipes.md', '%2e%2e%2frecipes.md']) {
      const answer = await fetch(`${app.url}/docs/guides/${name}`)
      expect(answer.status, name).to.equal(404)
    }
  })
})
