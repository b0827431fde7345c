import { compare, comparison } from '../comparison/compare.js'
import { dollars } from '../comparison/dollars.js'
import { chosenPrices, PRICE_NAMES } from '../comparison/prices.js'
import { pricesName } from '../state.js'

/** Selects the prices: the ratios of a provider or a model, and dollars if the user enters the price of input. */
export function PriceChoice() {
  return (
    <div class="price-choice">
      <label>
        <span>Prices of</span>
        <span class="select-box">
          <select
            class="select"
            value={pricesName.value}
            onChange={(event) => {
              chosenPrices.value = event.currentTarget.value
              if (comparison.peek() !== null) void compare()
            }}
          >
            <optgroup label="Providers">
              {PRICE_NAMES.providers.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </optgroup>
            <optgroup label="Models">
              {PRICE_NAMES.models.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </optgroup>
          </select>
        </span>
      </label>
      <label>
        <span>$ per 1M input</span>
        <input
          type="number"
          class="field"
          min="0"
          step="any"
          placeholder="–"
          value={dollars.value ?? ''}
          onInput={(event) => {
            const { valueAsNumber } = event.currentTarget
            dollars.value = Number.isFinite(valueAsNumber) ? valueAsNumber : null
          }}
        />
      </label>
    </div>
  )
}
