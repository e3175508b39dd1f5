// Generated from common/openapi/openapi.json by 'npm run generate'.
import type { Calls } from '../../common/openapi/openapi-types.ts'

export interface Route {
  readonly method: string
  readonly path: string
  /** Arguments of the client beside the ids in the path. */
  readonly takes: 'body' | 'query' | 'nothing'
  readonly answers: 'json' | 'text' | 'nothing'
}

export const routes = {
  runFfmpegCommand: {
    method: 'POST',
    path: '/v1/run-ffmpeg-command',
    takes: 'body',
    answers: 'json',
  },
  listCommands: { method: 'GET', path: '/v1/commands', takes: 'query', answers: 'json' },
  getCommand: { method: 'GET', path: '/v1/commands/{command_id}', takes: 'query', answers: 'json' },
  runChainedFfmpegCommands: {
    method: 'POST',
    path: '/v1/run-chained-ffmpeg-commands',
    takes: 'body',
    answers: 'json',
  },
  cancelCommand: {
    method: 'POST',
    path: '/v1/commands/{command_id}/cancel',
    takes: 'nothing',
    answers: 'json',
  },
  getCommandLogs: {
    method: 'GET',
    path: '/v1/commands/{command_id}/logs',
    takes: 'query',
    answers: 'text',
  },
  getCommandTimeline: {
    method: 'GET',
    path: '/v1/commands/{command_id}/timeline',
    takes: 'nothing',
    answers: 'json',
  },
  getCommandEvents: {
    method: 'GET',
    path: '/v1/commands/{command_id}/events',
    takes: 'nothing',
    answers: 'text',
  },
  getEvents: { method: 'GET', path: '/v1/events', takes: 'query', answers: 'text' },
  registerAccount: { method: 'POST', path: '/v1/accounts', takes: 'body', answers: 'json' },
  activateAccount: {
    method: 'POST',
    path: '/v1/accounts/activate',
    takes: 'body',
    answers: 'json',
  },
  getWebhook: { method: 'GET', path: '/v1/webhook', takes: 'nothing', answers: 'json' },
  putWebhook: { method: 'PUT', path: '/v1/webhook', takes: 'body', answers: 'json' },
  deleteWebhook: { method: 'DELETE', path: '/v1/webhook', takes: 'nothing', answers: 'nothing' },
  testWebhook: { method: 'POST', path: '/v1/webhook/test', takes: 'nothing', answers: 'json' },
  listWebhookDeliveries: {
    method: 'GET',
    path: '/v1/webhook/deliveries',
    takes: 'query',
    answers: 'json',
  },
  getWebhookDelivery: {
    method: 'GET',
    path: '/v1/webhook/deliveries/{webhook_id}',
    takes: 'nothing',
    answers: 'json',
  },
  redeliverWebhook: {
    method: 'POST',
    path: '/v1/webhook/deliveries/{webhook_id}/redeliver',
    takes: 'nothing',
    answers: 'json',
  },
  storeFile: { method: 'POST', path: '/v1/files/store-file', takes: 'body', answers: 'json' },
  initUpload: { method: 'POST', path: '/v1/files/init-upload', takes: 'body', answers: 'json' },
  completeUpload: {
    method: 'POST',
    path: '/v1/files/{file_id}/complete-upload',
    takes: 'body',
    answers: 'json',
  },
  abortUpload: {
    method: 'POST',
    path: '/v1/files/{file_id}/abort-upload',
    takes: 'nothing',
    answers: 'json',
  },
  listFiles: { method: 'GET', path: '/v1/files', takes: 'query', answers: 'json' },
  getFile: { method: 'GET', path: '/v1/files/{file_id}', takes: 'query', answers: 'json' },
  deleteFile: {
    method: 'DELETE',
    path: '/v1/files/{file_id}',
    takes: 'nothing',
    answers: 'nothing',
  },
  deleteCommandFiles: {
    method: 'DELETE',
    path: '/v1/commands/{command_id}/files',
    takes: 'nothing',
    answers: 'nothing',
  },
  getFilePlaylist: {
    method: 'GET',
    path: '/v1/files/{file_id}/playlist',
    takes: 'query',
    answers: 'text',
  },
  bulkDeleteFiles: {
    method: 'POST',
    path: '/v1/files/bulk-delete',
    takes: 'body',
    answers: 'json',
  },
  deleteAccount: { method: 'DELETE', path: '/v1/account', takes: 'body', answers: 'json' },
  getUsage: { method: 'GET', path: '/v1/usage', takes: 'nothing', answers: 'json' },
  getUsageHistory: { method: 'GET', path: '/v1/usage/history', takes: 'query', answers: 'json' },
  listKeys: { method: 'GET', path: '/v1/keys', takes: 'nothing', answers: 'json' },
  createKey: { method: 'POST', path: '/v1/keys', takes: 'body', answers: 'json' },
  revokeKey: { method: 'DELETE', path: '/v1/keys/{key_id}', takes: 'nothing', answers: 'nothing' },
  validateFfmpegCommand: {
    method: 'POST',
    path: '/v1/validate-ffmpeg-command',
    takes: 'body',
    answers: 'json',
  },
} as const satisfies Record<keyof Calls, Route>
