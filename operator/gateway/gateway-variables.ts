/** How runners reach the gateway, and what it bounds. */
export const gatewayVariables = {
  CLOUD_FFMPEG_GATEWAY_PORT: {
    type: 'integer',
    minimum: 0,
    maximum: 65_535,
    default: 8090,
    description: 'Port on which runners reach the gateway.',
  },
  CLOUD_FFMPEG_GATEWAY_URL: {
    type: 'string',
    description:
      "The gateway's address as runners reach it, http://service.namespace.svc:port, of their own namespace http://service:port; https with TLS.",
  },
  CLOUD_FFMPEG_GATEWAY_CONNECTIONS: {
    type: 'integer',
    minimum: 1,
    optional: true,
    description: 'Most connections to the gateway; without it, twice the live Jobs and 100.',
  },
  CLOUD_FFMPEG_GATEWAY_CONNECTIONS_PER_ADDRESS: {
    type: 'integer',
    minimum: 0,
    default: 4,
    description: 'Most connections of one address to the gateway; 0 = no limit.',
  },
  CLOUD_FFMPEG_GATEWAY_IN_FLIGHT_MBYTES: {
    type: 'integer',
    minimum: 16,
    default: 64,
    description: 'MB of all messages that the gateway reads or answers at a time.',
  },
  CLOUD_FFMPEG_GATEWAY_TLS_FOLDER: {
    type: 'string',
    optional: true,
    description:
      'Folder with tls.crt, tls.key and the ca.crt that runners trust; the gateway then speaks https.',
  },
} as const
