import { filesLimit } from './arguments.ts'
import {
  rangeOf,
  readKey,
  readToken,
  textOf,
  unitsOf,
  type TextRange,
  type Unit,
} from './ffmpeg-quoting.ts'

export type TeeOption = { name: string; value: string; range: TextRange; valueRange: TextRange }

export type TeeLeg = { options: TeeOption[]; target: string; range: TextRange }

export type TeeLegs = { ok: true; legs: TeeLeg[] } | TeeFailure

type TeeFailure = { ok: false; at: number; reason: string }

/** Takes apart the target of `-f tee`: `[f=mpegts]a.ts|[f=hls:hls_time=4]b.m3u8`. */
export function parseTee(text: string): TeeLegs {
  const units = unitsOf(text)
  const legs: TeeLeg[] = []
  let offset = 0
  while (offset < units.length) {
    const written = readToken(units, offset, '|')
    const leg = parseLeg(written.units, offset)
    if (!leg.ok) return leg
    legs.push(leg.leg)
    if (legs.length > filesLimit) {
      return { ok: false, at: offset, reason: `a command can have ${filesLimit} outputs` }
    }
    offset = written.next + 1
  }
  return { ok: true, legs }
}

function parseLeg(units: readonly Unit[], begin: number): { ok: true; leg: TeeLeg } | TeeFailure {
  const options: TeeOption[] = []
  let offset = 0
  if (units[0]?.character === '[') {
    offset = 1
    while (units[offset]?.character !== ']') {
      const at = units[offset]?.at ?? begin
      const key = readKey(units, offset)
      if (key === null) return { ok: false, at, reason: "an option is not 'name=value'" }
      const value = readToken(units, key.next, ':]')
      if (value.next >= units.length) return { ok: false, at, reason: "']' is missing" }
      options.push({
        // FFmpeg accepts tee's own options in any case
        name: key.name.toLowerCase(),
        value: textOf(value.units),
        range: key.range,
        valueRange: rangeOf(value.units, at),
      })
      offset = units[value.next]?.character === ':' ? value.next + 1 : value.next
    }
    offset += 1
  }
  const target = units.slice(offset)
  return { ok: true, leg: { options, target: textOf(target), range: rangeOf(target, begin) } }
}
