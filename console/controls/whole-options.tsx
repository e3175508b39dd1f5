interface Props {
  /** A command, or a request that has one. */
  readonly text: string
}

/** Browsers break a line behind the hyphen of `-c:v`; an option is kept whole by an element of its own. */
export function WholeOptions({ text }: Props) {
  return text.split(options).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={index} class="whole">
        {part}
      </span>
    ),
  )
}

/** At the beginning of a word. A name that is longer than a line may break. */
const options = /((?<![^\s"'])--?[a-z][\w:]{0,30}(?![\w:]))/i
