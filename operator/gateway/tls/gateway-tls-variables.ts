/** TLS of the gateway: off without a folder. */
export const gatewayTlsVariables = {
  CLOUD_FFMPEG_GATEWAY_TLS_FOLDER: {
    type: 'string',
    optional: true,
    description:
      'Folder with tls.crt and tls.key, and with ca.crt where the operator writes the ConfigMap; the gateway then speaks https.',
  },
  CLOUD_FFMPEG_GATEWAY_CA_CONFIG_MAP: {
    type: 'string',
    optional: true,
    description:
      'ConfigMap with the ca.crt by which runners verify the gateway; needed with the folder.',
  },
  CLOUD_FFMPEG_GATEWAY_TLS_PORT: {
    type: 'integer',
    minimum: 0,
    maximum: 65_535,
    default: 8443,
    description: 'Port on which the gateway speaks https.',
  },
  CLOUD_FFMPEG_GATEWAY_PLAIN_HTTP: {
    type: 'boolean',
    default: true,
    description:
      'Speak plain HTTP on the other port, too: runners that began before TLS was on still use it.',
  },
  CLOUD_FFMPEG_GATEWAY_CA_SPREAD_SECONDS: {
    type: 'number',
    minimum: 0,
    default: 120,
    description:
      'From the publication of a new authority until the first certificate of it is presented: running pods get a changed ConfigMap late.',
  },
} as const
