import { expect } from 'chai'
import { useEnvironment } from '../steps/environment.ts'
import { listZip } from '../steps/zip.ts'
import { playlistUrls, storedOutputs } from '../steps/stored-outputs.ts'
import { submitAndWait } from '../steps/submit-and-wait.ts'

describe('a developer makes a playlist', () => {
  const env = useEnvironment()

  async function playlist(name: string, command: string) {
    const record = await submitAndWait(env.client, {
      input_files: { in_1: env.origin.url('clip.mp4') },
      output_files: { out_playlist_1: name },
      ffmpeg_command: command,
    })
    expect(record.error_message).to.equal(null)
    expect(Object.keys(record.output_files ?? {})).to.deep.equal(['out_playlist_1'])
    const file = record.output_files?.['out_playlist_1']
    if (file === undefined) throw new Error('there is no record of the playlist')
    return { file, urls: await playlistUrls(file.storage_url ?? '') }
  }

  it('stores HLS segments, each of which answers beside the manifest', async () => {
    const { file, urls } = await playlist(
      'index.m3u8',
      '-i {{in_1}} -c:v libx264 -preset ultrafast -g 25 -c:a aac -f hls -hls_time 1 -hls_playlist_type vod {{out_playlist_1}}',
    )
    expect(file).to.include({
      file_type: 'output_manifest',
      file_format: 'm3u8',
      mime_type: 'application/vnd.apple.mpegurl',
      file_count: urls.length,
    })
    expect(urls.length).to.be.greaterThan(3)
  })

  it('stores a playlist of fragmented MP4', async () => {
    const { file, urls } = await playlist(
      'index.m3u8',
      '-i {{in_1}} -c:v libx264 -preset ultrafast -g 25 -c:a aac -f hls -hls_time 2 -hls_playlist_type vod -hls_segment_type fmp4 -hls_fmp4_init_filename init.mp4 -hls_segment_filename part%d.m4s {{out_playlist_1}}',
    )
    expect(file.file_count).to.equal(urls.length)
    expect(urls.filter((url) => url.endsWith('init.mp4'))).to.have.length(1)
  })

  it('stores two variants under one master, and deletes all of it with the manifest', async () => {
    const { file, urls } = await playlist(
      'master.m3u8',
      '-i {{in_1}} -map 0:v -map 0:a -map 0:v -map 0:a -c:v libx264 -preset ultrafast -g 25 -c:a aac -s:v:0 320x240 -s:v:1 160x120 -f hls -hls_time 1 -hls_playlist_type vod -master_pl_name {{out_playlist_1}} -var_stream_map "v:0,a:0 v:1,a:1" v%v/part.m3u8',
    )
    expect(urls.filter((url) => url.endsWith('.m3u8'))).to.have.length(3)
    expect(file.file_count).to.equal(urls.length)
    expect(await storedOutputs(env, file.command_id ?? '')).to.have.length(urls.length)
    await env.client.deleteFile(file.file_id)
    expect(await env.client.getFile(file.file_id)).to.include({ is_deleted: true })
  })

  it('stores a playlist of MPEG-DASH', async () => {
    const { file } = await playlist(
      'manifest.mpd',
      '-i {{in_1}} -c:v libx264 -preset ultrafast -g 25 -c:a aac -f dash -seg_duration 1 {{out_playlist_1}}',
    )
    expect(file).to.include({ file_format: 'mpd', mime_type: 'application/dash+xml' })
    expect(await storedOutputs(env, file.command_id ?? '')).to.have.length(file.file_count ?? 0)
  })

  it('takes a zip in and gets a zip out', async () => {
    const record = await submitAndWait(env.client, {
      input_compressed_folder: env.origin.url('parts.zip'),
      output_files: 'OUTPUT_FOLDER',
      ffmpeg_command: '-i clips/a.mp4 -c copy -f segment -segment_time 1 parts/part%03d.mp4',
    })
    expect(record.error_message).to.equal(null)
    const file = record.output_files?.['OUTPUT_FOLDER']
    expect(file).to.include({ file_type: 'zip', file_format: 'zip', mime_type: 'application/zip' })
    const names = await listZip(file?.storage_url ?? '')
    expect(names).to.include('parts/part000.mp4')
    expect(names).not.to.include('clips/a.mp4')
    expect(file?.file_count).to.equal(names.length)
  })
})
