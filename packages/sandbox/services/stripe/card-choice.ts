import { html } from 'hono/html'
import type { Markup } from '../../page.ts'
import { testCards } from './payments.ts'

/** The test cards to pick from, as the form field `card`; `onFile` puts the customer's own card first. */
export function cardChoice(onFile?: string): Markup {
  return html`<fieldset>
    <legend>Card</legend>
    <ul class="rows">
      ${
        onFile
          ? html`<li><label><input type="radio" name="card" value="" checked /><span class="grow">Visa ${onFile}</span><span class="end">the card on file</span></label></li>`
          : ''
      }
      ${testCards.map(
        ({ kind, name, about }, index) => html`<li>
          <label><input type="radio" name="card" value="${kind}" ${index === 0 && !onFile ? 'checked' : ''} /><span class="grow">${name}</span><span class="end">${about}</span></label>
        </li>`,
      )}
    </ul>
  </fieldset>`
}
