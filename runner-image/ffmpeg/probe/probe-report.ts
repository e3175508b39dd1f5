/** Fields of `ffprobe -show_format -show_streams -print_format json` that we read. */
export interface ProbeReport {
  /** `mov,mp4,m4a,3gp,3g2,mj2` */
  readonly formatNames: readonly string[]
  /** Brands of MP4 and its relatives, each of four characters, the major one first: `isom`, `avif`. */
  readonly brands: readonly string[]
  readonly seconds: number | null
  /** Bits a second, all streams together. */
  readonly bitRate: number | null
  readonly streams: readonly ProbedStream[]
}

export interface ProbedStream {
  readonly index: number
  /** `video`, `audio`, `subtitle`, `data` */
  readonly kind: string
  readonly codec: string | null
  /** Code in the container: `avc1`; null where it has none. */
  readonly tag: string | null
  readonly profile: string | null
  readonly level: number | null
  /** Pixels as coded, before rotation; 0 if there are none. */
  readonly width: number
  readonly height: number
  readonly pixelFormat: string | null
  /** Frames a second. */
  readonly averageRate: number | null
  readonly nominalRate: number | null
  /** Seconds a tick, as `1/12800`. */
  readonly timebase: string | null
  readonly seconds: number | null
  /** Duration of a stream of Matroska, which has it in its tags alone. */
  readonly taggedSeconds: number | null
  /** Bits a second. */
  readonly bitRate: number | null
  /** Number that the container states; null if it does not. */
  readonly frames: number | null
  /** The container's first choice. */
  readonly isDefault: boolean
  /** A picture that belongs to a sound file, not a video. */
  readonly cover: boolean
  /** Degrees to turn before display. */
  readonly rotation: number
}
