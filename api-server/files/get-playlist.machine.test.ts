import { expect } from 'chai'
import { commitOf, newFile } from '../../testing/store-contract/fixtures.ts'
import { foreignKey, useFilesApp } from '../../testing/support/api/files.ts'
import { claim } from '../../testing/support/api/outcomes.ts'
import { field, refusalOf } from '../checked-call.fixture.ts'

describe('GET /v1/files/{file_id}/playlist', () => {
  const app = useFilesApp()
  const master = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv0/part.m3u8\n'
  const part = '#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\ns0.ts\n#EXT-X-ENDLIST\n'

  async function stored(isPrivate: boolean, name = 'film.m3u8', main = master): Promise<string> {
    const commandId = await app.submit({ is_private: isPrivate })
    await claim(app, commandId)
    const folder = `${isPrivate ? 'private' : 'public'}/a/${commandId}/pod/out_playlist_1`
    for (const [path, text] of [
      [name, main],
      ['v0/part.m3u8', part],
      ['v0/s0.ts', 'segment'],
    ]) {
      await app.objects.putBytes({
        key: `${folder}/${path}`,
        bytes: Buffer.from(text ?? ''),
        contentType: 'text/plain',
        attachment: false,
      })
    }
    const file = { ...newFile(commandId), alias: 'out_playlist_1', key: `${folder}/${name}` }
    const outcome = { status: 'SUCCESS' as const, files: [file] }
    await app.store.commitOutcome(commitOf(commandId, `pod-${commandId}`, outcome))
    return file.fileId
  }
  const get = (fileId: string, query: string, key = app.key) =>
    fetch(`${app.url}/v1/files/${fileId}/playlist?${query}`, { headers: { 'X-API-KEY': key } })

  it('answers a private playlist whose segments open, and those that it names by their path', async () => {
    const fileId = await stored(true)
    const first = await get(fileId, 'presigned_ttl_seconds=60')
    expect([first.status, first.headers.get('content-type'), await first.text()]).to.deep.equal([
      200,
      'application/vnd.apple.mpegurl; charset=utf-8',
      master,
    ])
    expect(first.headers.get('cache-control')).to.contain('no-store')
    const nested = await (await get(fileId, 'presigned_ttl_seconds=60&path=v0/part.m3u8')).text()
    const url = nested.split('\n')[3] ?? ''
    expect(new URL(url).searchParams.get('X-Amz-Expires')).to.equal('60')
    expect(await (await fetch(url)).text()).to.equal('segment')
    expect(nested.replace(url, 's0.ts')).to.equal(part)
  })

  it('refuses a public playlist, another kind of file, a path outside and a missing lifetime', async () => {
    const [shut, open, dash] = [
      await stored(true),
      await stored(false),
      await stored(true, 'film.mpd'),
    ]
    const call = (fileId: string, query = '?presigned_ttl_seconds=60') =>
      app.call(`/v1/files/${fileId}/playlist${query}`)
    expect((await call(open)).status).to.equal(409)
    expect(String(field((await call(dash)).body, 'detail'))).to.contain('not a playlist of HLS')
    const outside = '?presigned_ttl_seconds=60&path=../../../x.m3u8'
    for (const query of [outside, '?presigned_ttl_seconds=60&path=v9/none.m3u8']) {
      expect((await call(shut, query)).status, query).to.equal(404)
    }
    expect(
      refusalOf(await call(shut, '?presigned_ttl_seconds=60&path=/v0/part.m3u8')),
    ).to.deep.equal([422, 'query.path string_pattern_mismatch'])
    expect(refusalOf(await call(shut, ''))).to.deep.equal([
      422,
      'query.presigned_ttl_seconds value_error',
    ])
    expect((await get(shut, 'presigned_ttl_seconds=60', foreignKey)).status).to.equal(404)
  })

  it('refuses a playlist that is too large to sign', async () => {
    const fileId = await stored(true, 'film.m3u8', 'segment.ts\n'.repeat(400_000))
    const answer = await app.call(`/v1/files/${fileId}/playlist?presigned_ttl_seconds=60`)
    expect([answer.status, String(field(answer.body, 'detail'))]).to.deep.equal([
      409,
      'The playlist names more than 10000 files: write longer segments, as by -hls_time 10',
    ])
  })
})
