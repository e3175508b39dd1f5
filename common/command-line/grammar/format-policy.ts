const devices = new Set(
  `alsa caca fbdev iec61883 jack kmsgrab libcdio libdc1394 openal opengl oss pulse sdl sdl2 sndio
  bktr video4linux2 v4l2 x11grab xcbgrab xv android_camera avfoundation audiotoolbox decklink dshow
  gdigrab vfwcap`
    .trim()
    .split(/\s+/),
)
const networkInputs = new Set(['sdp', 'rtsp', 'rtp', 'sap'])
const scriptInputs = new Set(['avisynth', 'vapoursynth'])
const networkOutputs = new Set(['rtp', 'rtsp', 'rtp_mpegts', 'sap', 'whip'])

/**
 * Why `-f` before an input is refused, as the rest of a sentence. FFmpeg compares names without case,
 * and takes the whole list of a demuxer's names (`video4linux2,v4l2`) for one.
 */
export function inputFormatRefusal(value: string): string | null {
  return firstOf(value.toLowerCase().split(',').map(inputNameRefusal))
}

function firstOf(refusals: readonly (string | null)[]): string | null {
  return refusals.find((refusal) => refusal !== null) ?? null
}

function inputNameRefusal(name: string): string | null {
  const format = name.trim()
  if (devices.has(format)) return 'is a device, of which there are none'
  if (networkInputs.has(format)) return 'is for network streams, which FFmpeg cannot reach here'
  if (scriptInputs.has(format)) return 'runs scripts, which is not allowed'
  return null
}

/**
 * The same before an output. There FFmpeg reads the value as a list and `all` as every format, so
 * more than one name would hide the format in use.
 */
export function outputFormatRefusal(value: string): string | null {
  const format = value.trim().toLowerCase()
  if (format.includes(',') || format === 'all' || format.startsWith('-')) {
    return 'is not a single format; name one'
  }
  if (devices.has(format)) return 'is a device, of which there are none'
  if (networkOutputs.has(format)) {
    return 'is for network streams, which FFmpeg cannot send here: outputs are stored; declare one in output_files'
  }
  return null
}

/**
 * The same for a muxer nested in another. A nested `tee` would list outputs that are not checked.
 */
export function nestedFormatRefusal(value: string): string | null {
  return value.trim().toLowerCase() === 'tee'
    ? 'lists outputs of its own; use it as the output itself'
    : outputFormatRefusal(value)
}
