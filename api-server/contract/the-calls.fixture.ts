import { submission, unknownId } from '../../testing/support/api/app.ts'
import type { Sent } from '../checked-call.fixture.ts'

/** One of the thirteen calls, with a request that could be accepted. */
export interface Call {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>>
  readonly required: readonly string[]
  /** Maximum body size in bytes; null: a body is ignored. */
  readonly maxBody: number | null
}

const run = 524_288
const other = 2_097_152

export const chain = {
  input_files: { in_1: 'https://media.example/a.mp4', in_2: 'https://media.example/b.mp4' },
  output_files: { out_1: 'both.mp4', out_2: 'thumb.jpg' },
  vcpu_count: '4',
  ffmpeg_commands: [
    '-i {{in_1}} -i {{in_2}} -filter_complex "[0:v][1:v]hstack=inputs=2[v]" -map "[v]" {{out_1}}',
    '-i {{out_1}} -frames:v 1 {{out_2}}',
  ],
}

export const runSingle: Call = {
  name: 'run-ffmpeg-command',
  method: 'POST',
  path: '/v1/run-ffmpeg-command',
  body: submission,
  maxBody: run,
  required: ['ffmpeg_command', 'input_files', 'output_files'],
}

export const runChain: Call = {
  name: 'run-chained-ffmpeg-commands',
  method: 'POST',
  path: '/v1/run-chained-ffmpeg-commands',
  body: chain,
  maxBody: run,
  required: ['ffmpeg_commands', 'input_files', 'output_files'],
}

export const storeFile: Call = {
  name: 'store-file',
  method: 'POST',
  path: '/v1/files/store-file',
  maxBody: other,
  body: { file_url: 'https://media.example/clip.mov' },
  required: ['file_url'],
}

export const initUpload: Call = {
  name: 'init-upload',
  method: 'POST',
  path: '/v1/files/init-upload',
  maxBody: other,
  body: { filename: 'clip.mp4', size_bytes: 1_000 },
  required: ['filename', 'size_bytes'],
}

export const completeUpload: Call = {
  name: 'complete-upload',
  method: 'POST',
  maxBody: other,
  path: `/v1/files/${unknownId}/complete-upload`,
  body: { parts: [{ part_number: 1, etag: 'x' }] },
  required: ['parts'],
}

export const bulkDelete: Call = {
  name: 'bulk-delete',
  method: 'POST',
  path: '/v1/files/bulk-delete',
  maxBody: other,
  body: { file_ids: [unknownId] },
  required: ['file_ids'],
}

export const abortUpload = without('POST', 'abort-upload', `/v1/files/${unknownId}/abort-upload`)
export const getCommand = without('GET', 'get command', `/v1/commands/${unknownId}`)
export const listCommands = without('GET', 'list commands', '/v1/commands')
export const listFiles = without('GET', 'list files', '/v1/files')
export const getFile = without('GET', 'get file', `/v1/files/${unknownId}`)
export const deleteFile = without('DELETE', 'delete file', `/v1/files/${unknownId}`)
export const deleteOutputs = without('DELETE', 'delete outputs', `/v1/commands/${unknownId}/files`)

export const submissions = [runSingle, runChain, storeFile, initUpload]
export const reads = [getCommand, listCommands, listFiles, getFile]
export const withBody = [...submissions, completeUpload, bulkDelete]
export const neverLimited = [completeUpload, abortUpload, deleteFile, deleteOutputs, bulkDelete]
export const thirteen = [...submissions, ...reads, ...neverLimited]

/** The request of a call. */
export function sent({ method, body }: Call): Sent {
  return { method, ...(body === undefined ? {} : { body }) }
}

function without(method: Call['method'], name: string, path: string): Call {
  return { name, method, path, required: [], maxBody: null }
}
