import { expect } from 'chai'
import { unknownId } from '../../testing/support/api/app.ts'
import { refusalOf } from '../checked-call.fixture.ts'
import {
  abort,
  begin,
  fileToStore,
  storeOutputs,
  useFilesApp,
} from '../../testing/support/api/files.ts'

describe('GET /v1/files with filters', () => {
  const app = useFilesApp()
  const list = (query: string) => app.list(`/v1/files?${query}`)
  const listed = async (query: string) => (await list(query)).map((file) => file['file_id'])
  let outputs: Awaited<ReturnType<typeof storeOutputs>>
  let [open, ended, fetched] = ['', '', '']

  before(async () => {
    outputs = await storeOutputs(app)
    open = (await begin(app, { filename: 'clip.mp4' })).fileId
    ended = (await begin(app, { filename: 'other.mp4' })).fileId
    await abort(app, ended)
    fetched = await fileToStore(app)
  })

  it('lists files by how they came', async () => {
    expect(await listed('kind=upload')).to.deep.equal([ended, open])
    expect(await listed('kind=url')).to.deep.equal([fetched])
    expect(await listed('kind=url,upload')).to.deep.equal([fetched, ended, open])
    expect(await listed('kind=output')).to.have.members([
      outputs.one,
      outputs.manifest,
      outputs.zip,
    ])
    expect(await listed('kind=output,upload,url')).to.deep.equal(await listed(''))
  })

  it('lists files by their type, also of a kind and in a state', async () => {
    expect(await listed('file_type=output_manifest')).to.deep.equal([outputs.manifest])
    expect(await listed('file_type=video,zip')).to.have.members([outputs.one, outputs.zip])
    expect(await listed('file_type=video&kind=upload')).to.deep.equal([])
    expect(await listed('file_type=zip&kind=output&status=STORED')).to.deep.equal([outputs.zip])
    expect(await listed('kind=upload,output&status=FAILED')).to.deep.equal([ended])
    expect(await listed('file_type=video&status=QUEUED')).to.deep.equal([])
  })

  it('lists the outputs of a command', async () => {
    const { commandId, one, manifest, zip } = outputs
    const of = `command_id=${commandId.toUpperCase()}`
    expect(await listed(of)).to.have.members([one, manifest, zip])
    expect(await listed(`${of}&file_type=zip&kind=output&status=STORED`)).to.deep.equal([zip])
    expect(await listed(`${of}&kind=upload`)).to.deep.equal([])
    expect(await listed(`${of}&status=FAILED`)).to.deep.equal([])
    expect(await listed(`command_id=${unknownId}`)).to.deep.equal([])
  })

  it('lists what was created in a span that holds its beginning and not its end', async () => {
    const times = (await list('limit=3')).map((file) => String(file['created_at']))
    const [newest = '', , third = ''] = times
    expect(await listed(`created_after=${third}&created_before=${newest}`)).to.deep.equal([
      ended,
      open,
    ])
    expect(await listed(`created_after=${newest}&kind=url`)).to.deep.equal([fetched])
    expect(await listed(`created_before=${third}&status=QUEUED`)).to.deep.equal([])
  })

  it('a list continues after a file, also with filters and after a deleted one', async () => {
    const all = await listed('')
    expect(await listed(`before_id=${fetched.toUpperCase()}`)).to.deep.equal(all.slice(1))
    expect(await listed(`before_id=${fetched}&limit=2`)).to.deep.equal([ended, open])
    expect(await listed(`before_id=${ended}&kind=upload`)).to.deep.equal([open])
    expect(await listed(`before_id=${fetched}&status=QUEUED`)).to.deep.equal([open])
    expect(await listed(`kind=upload&limit=1&offset=1`)).to.deep.equal([open])
    expect(await listed(`before_id=${unknownId}`)).to.deep.equal([])
    const gone = await fileToStore(app)
    await app.remove(`/v1/files/${gone}`)
    expect(await listed(`before_id=${gone}`)).to.deep.equal(all)
  })

  for (const [query, place] of [
    ['kind=download', 'query.kind enum'],
    ['kind=output,', 'query.kind enum'],
    ['file_type=movie', 'query.file_type enum'],
    ['command_id=17', 'query.command_id uuid_parsing'],
    ['before_id=17', 'query.before_id uuid_parsing'],
    [`before_id=${unknownId}&offset=1`, 'query.before_id value_error'],
  ] as const) {
    it(`rejects the query ${query}`, async () => {
      expect(refusalOf(await app.call(`/v1/files?${query}`))).to.deep.equal([422, place])
    })
  }
})
