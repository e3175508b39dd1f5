import { choices, preferences } from '../parts/preferences.ts'
import { prefer } from './stored-preferences.ts'
import type { Preferences } from '../parts/preferences.ts'

type Name = keyof Preferences

const words = {
  theme: { legend: 'Theme', of: { system: 'As the system', light: 'Light', dark: 'Dark' } },
  density: { legend: 'Rows', of: { comfortable: 'Comfortable', compact: 'Compact' } },
  zone: { legend: 'Times', of: { local: 'Local time', utc: 'UTC' } },
  motion: { legend: 'Motion', of: { system: 'As the system', reduced: 'None' } },
  letters: { legend: 'Shortcuts by letters', of: { on: 'On', off: 'Off' } },
} as const satisfies {
  readonly [One in Name]: { readonly legend: string; readonly of: Record<Preferences[One], string> }
}

export function Appearance() {
  return (
    <div class="appearance">
      {(Object.keys(words) as Name[]).map((name) => (
        <Choice key={name} name={name} />
      ))}
    </div>
  )
}

function Choice({ name }: { readonly name: Name }) {
  const { legend } = words[name]
  const labels: Readonly<Record<string, string>> = words[name].of
  return (
    <fieldset class="choice">
      <legend>{legend}</legend>
      {choices[name].map((value) => (
        <label key={value} class="check">
          <input
            type="radio"
            name={name}
            checked={preferences.value[name] === value}
            onChange={() => prefer({ [name]: value })}
          />
          {labels[value]}
        </label>
      ))}
    </fieldset>
  )
}
