import { expect } from 'chai'
import { planWith } from '../../testing/support/plans.ts'
import type { StoredFileSpec } from '../../crds/storedfile.ts'
import { importedFile } from './import-file.ts'

const plan = planWith({ chained: false, uploads: false, private: false, webhooks: false })
const account = {
  accountId: 'a',
  name: 'acme',
  plan: 'free',
  suspended: false,
  defaultOutputTtlSeconds: null,
}
const spec: StoredFileSpec = { source: { url: 'https://media.example/clip.mov' } }

function refusalOf(changes: Partial<StoredFileSpec>, of = account): string | null {
  const imported = importedFile('id', { ...spec, ...changes }, of, plan)
  return 'refusal' in imported ? imported.refusal : null
}

describe('a stored file applied with kubectl', () => {
  it('is stored for its account', () => {
    expect(importedFile('id', { ...spec, environmentName: 'test' }, account, plan)).to.deep.equal({
      file: {
        fileId: 'id',
        accountId: 'a',
        environmentName: 'test',
        url: 'https://media.example/clip.mov',
        isPrivate: false,
      },
    })
  })

  it('is refused when the REST API would refuse it', () => {
    expect(refusalOf({ private: true })).to.include('private')
    expect(refusalOf({}, { ...account, suspended: true })).to.include('suspended')
    expect(refusalOf({ source: { url: 'https://user:secret@media.example/a.mp4' } })).to.include(
      'user name',
    )
    expect(refusalOf({ source: { upload: { key: 'public/b/c', name: 'c' } } })).to.include('upload')
  })
})
