const cell = 64
const columns = 12
const width = cell * columns

/** Draws each character of a text in a cell of its own, so that they can be compared one by one. */
export const glyphSheet = {
  source: `color=black:s=${width}x${cell}`,
  /** One picture in `gray`. */
  bytes: width * cell,

  drawtext(text: string, font: string | null): string {
    const named = font === null ? '' : `:font='${font}'`
    return Array.from(text, (character, at) => {
      const place = `fontsize=36:fontcolor=white:x=${at * cell + margin}:y=${margin}`
      return `drawtext=text='${character}':expansion=none:${place}${named}`
    }).join(',')
  },

  /** A file of the format ASS. */
  subtitles(text: string): string {
    const lines = Array.from(text, (character, at) => {
      const place = `{\\an7\\pos(${at * cell + margin},${margin})}`
      return `Dialogue: 0,0:00:00.00,0:00:10.00,Default,,0,0,0,,${place}${character}`
    })
    return `[Script Info]
ScriptType: v4.00+
PlayResX: ${width}
PlayResY: ${cell}

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, Outline, Shadow
Style: Default,Roboto,40,&H00FFFFFF,0,0

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
${lines.join('\n')}
`
  },
}

const margin = 8

export function cellsOf(picture: Buffer): Buffer[] {
  return Array.from({ length: columns }, (_, column) =>
    Buffer.concat(
      Array.from({ length: cell }, (_row, row) => {
        const start = row * width + column * cell
        return picture.subarray(start, start + cell)
      }),
    ),
  )
}
