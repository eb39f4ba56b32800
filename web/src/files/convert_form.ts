import type { ConvertOptions, Quantization } from 'quintet';

import { byId, element } from '../shared/dom.js';
import { counted } from '../shared/numbers.js';
import { applicable, quantizationsOf, type SourceKind, type Target, targetsOf } from './targets.js';

type Settings = Omit<ConvertOptions, 'signal' | 'onProgress'>;

/** The target and the options that apply to it. */
export class ConvertForm {
  readonly #to = byId('to', HTMLSelectElement);
  readonly #quantize = byId('quantize', HTMLSelectElement);
  readonly #groupSize = byId('group-size', HTMLInputElement);
  readonly #scaleType = byId('scale-type', HTMLSelectElement);
  readonly #bits = byId('bits', HTMLInputElement);
  readonly #pictures = byId('calibration', HTMLInputElement);
  readonly #picturesChosen = byId('calibration-chosen', HTMLElement);

  constructor(onConvert: (settings: Settings) => void) {
    this.#to.addEventListener('change', () => this.#showQuantizations());
    this.#quantize.addEventListener('change', () => this.#showOptions());
    this.#pictures.addEventListener('change', () => this.#showPictures());
    byId('convert', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault();
      onConvert(this.#settings());
    });
  }

  show(source: SourceKind): void {
    fill(this.#to, targetsOf(source));
    this.#showQuantizations();
  }

  #showQuantizations(): void {
    fill(this.#quantize, quantizationsOf(this.#to.value as Target));
    this.#showOptions();
  }

  #showOptions(): void {
    const shown = this.#applicable();
    for (const [control, isShown] of [
      [this.#groupSize, shown.groupSize],
      [this.#scaleType, shown.scaleType],
      [this.#bits, shown.bits],
      [this.#pictures, shown.calibration],
    ] as const) {
      control.closest('label')!.hidden = !isShown;
      // A hidden field is not sent, and cannot keep the form from being sent.
      control.disabled = !isShown;
    }
    this.#groupSize.value = '';
    // Only AMB lets all values of a tensor share one scale.
    this.#groupSize.min = this.#to.value === 'amb' ? '0' : '1';
    this.#showPictures();
  }

  #showPictures(): void {
    this.#picturesChosen.textContent = counted(this.#pictures.files?.length ?? 0, 'picture');
  }

  #applicable() {
    return applicable(this.#to.value as Target, this.#quantize.value as Quantization | '');
  }

  #settings(): Settings {
    const { groupSize, scaleType, bits, calibration } = this.#applicable();
    const quantize = this.#quantize.value as Quantization | '';
    return {
      to: this.#to.value as Target,
      ...(quantize && { quantize }),
      ...(groupSize && this.#groupSize.value !== '' && { groupSize: this.#groupSize.valueAsNumber }),
      ...(scaleType && this.#scaleType.value !== '' && { scaleType: this.#scaleType.value as 'fp16' }),
      ...(bits && { bits: this.#bits.valueAsNumber }),
      ...(calibration && { calibration: [...(this.#pictures.files ?? [])] }),
    };
  }
}

function fill(select: HTMLSelectElement, choices: readonly { value: string; words: string }[]): void {
  select.replaceChildren(...choices.map(({ value, words }) => element('option', { value }, words)));
}
