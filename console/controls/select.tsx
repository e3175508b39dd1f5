interface Props<Name extends string> {
  /** null where a `<label>` has it. */
  readonly label: string | null
  /** Values with their words. */
  readonly names: Readonly<Record<Name, string>>
  readonly value: Name
  readonly isOff?: boolean
  readonly choose: (name: Name) => void
}

export function Select<Name extends string>({ label, names, value, isOff, choose }: Props<Name>) {
  return (
    <select
      aria-label={label ?? undefined}
      value={value}
      disabled={isOff}
      onChange={({ currentTarget }) => choose(currentTarget.value as Name)}
    >
      {(Object.keys(names) as Name[]).map((name) => (
        <option key={name} value={name}>
          {names[name]}
        </option>
      ))}
    </select>
  )
}
