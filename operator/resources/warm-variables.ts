/** The operator's environment variables for runners that wait for a command. */
export const warmVariables = {
  CLOUD_FFMPEG_WARM_MIN: {
    type: 'integer',
    minimum: 0,
    default: 0,
    description: 'Runners that always wait for a command.',
  },
  CLOUD_FFMPEG_WARM_MAX: {
    type: 'integer',
    minimum: 0,
    default: 0,
    description:
      'Most runners that wait for a command; 0 = none, and no further rights are needed.',
  },
  CLOUD_FFMPEG_WARM_VCPU: {
    type: 'integer',
    minimum: 1,
    default: 8,
    description: 'Commands with more vCPUs get none of them.',
  },
  CLOUD_FFMPEG_WARM_RESERVE: {
    type: 'number',
    minimum: 0,
    maximum: 1,
    default: 0,
    description:
      'Part of what a command with so many vCPUs requests that a waiting runner requests; 0 = 15m and 128 Mi.',
  },
  CLOUD_FFMPEG_WARM_MAX_AGE_SECONDS: {
    type: 'integer',
    minimum: 60,
    maximum: 86_400,
    default: 1_800,
    description: 'A runner that has waited so long is replaced.',
  },
  CLOUD_FFMPEG_WARM_IDLE_SECONDS: {
    type: 'integer',
    minimum: 1,
    default: 900,
    description: 'After so long without commands only CLOUD_FFMPEG_WARM_MIN runners wait.',
  },
} as const
