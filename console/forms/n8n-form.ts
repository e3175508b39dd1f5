import type { SentRequest } from './sent-request.ts'

/**
 * A node that n8n takes by pasting it into a workflow. The key is a credential "Header Auth" there, with
 * the name X-API-KEY. Without "=" in front, n8n leaves the brackets of placeholders as they are.
 */
export function asN8n({ url, path, body }: SentRequest): string {
  const node = {
    parameters: {
      method: 'POST',
      url: `${url}${path}`,
      authentication: 'genericCredentialType',
      genericAuthType: 'httpHeaderAuth',
      sendBody: true,
      specifyBody: 'json',
      jsonBody: JSON.stringify(body, null, 2),
      options: {},
    },
    name: 'Run FFmpeg',
    type: 'n8n-nodes-base.httpRequest',
    typeVersion: 4.2,
    position: [0, 0],
  }
  return JSON.stringify({ nodes: [node], connections: {} }, null, 2)
}
