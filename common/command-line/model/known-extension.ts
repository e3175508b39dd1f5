import inputExtensions from '../grammar/input-extensions.json' with { type: 'json' }
import outputExtensions from '../grammar/output-extensions.json' with { type: 'json' }
import { extensionOf } from '../../domain/stored-type.ts'

/** Whether FFmpeg, one of its filters or the service chooses something by the extension of the name. */
export function hasKnownExtension(name: string): boolean {
  return known.has(extensionOf(name)) && !name.startsWith('.')
}

const known: ReadonlySet<string> = new Set([
  ...outputExtensions,
  ...inputExtensions,
  // Pictures that FFmpeg's image2 demuxer and its pipes know besides.
  ...words('cr2 cr3 cur dcr dng heics hif ico jfif jls jpe jps mpo'),
  ...words('nef arw orf psd raf rw2 svg svgz thm tif wbmp'),
  // Colour tables of lut3d and lut1d, presets, models, curves.
  ...words('3dl cube csp m3d acv amp model rnnn onnx xmp'),
  // Subtitles, fonts, archives, texts.
  ...words('dfxp scc sub ssa sup ttml otf otc ttc ttf woff woff2'),
  ...words('7z gz tar tgz zip csv htm html json log md pdf xml'),
  // Media by names that FFmpeg finds by the content.
  ...words('3ga divx f4a m2t m2ts m4b m4p m4r mpga mpe mpv mts oga'),
  ...words('ogm ogx qt spx trp vob weba xspf'),
])

function words(text: string): string[] {
  return text.split(' ')
}
