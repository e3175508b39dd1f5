import type { MediaFacts } from './messages.ts'

/** A file of which nothing is known: not probed yet, or no media. */
export const unknownMedia: MediaFacts = {
  duration: null,
  file_type: null,
  file_format: null,
  width: null,
  height: null,
  codec: null,
  timebase: null,
  pixel_format: null,
  mime_type: null,
  frame_rate: null,
  bitrate_video_kb: null,
  bitrate_audio_kb: null,
  video_profile_level: null,
  is_varying_frame_rate: null,
}
