// The options of `convert` as the library expects them.
import type { ConvertOptions, Quantization } from '../../index.js';
import type { OptionTable, OptionValues } from '../command.js';
import { calibrationImages } from '../models/calibration_folder.js';
import { adapterArgument } from './adapter_options.js';
import { choiceOption, countOption, numberOption, requiredOption } from './arguments.js';

const FORMATS = ['amb', 'alt', 'weights', 'safetensors', 'tinyruntime'] as const;
const QUANTIZATIONS = [
  'none',
  'f16',
  'bf16',
  'int8',
  'int4',
  'int5',
  'int4block',
  'int5block',
  'adaptive',
  'int8-row',
  'int8-group',
  'dq8',
  'dq8-symmetric',
  'sq8',
] as const satisfies readonly Quantization[];

export const CONVERT_OPTIONS = {
  to: { type: 'string', value: 'FORMAT', help: FORMATS.join(', ') },
  quantize: {
    type: 'string',
    short: 'q',
    value: 'Q',
    help: 'storage of tensors, see below; default: as in the source',
  },
  'group-size': {
    type: 'string',
    short: 'g',
    value: 'N',
    help: 'values that share a scale; 0: all values of a tensor (amb)',
  },
  'scale-type': { type: 'string', value: 'T', help: 'type of the scales in amb: `fp16` or `fp32`' },
  bits: {
    type: 'string',
    short: 'b',
    value: 'B',
    help: 'with `adaptive`: average bits per weight, 4 to 16, such as 4.5',
  },
  calibrate: {
    type: 'string',
    value: 'DIR',
    help: 'folder of images (*.jpg, *.jpeg, *.png) like those to be classified: `sq8` needs them, `--verify` compares their classes',
  },
  observer: {
    type: 'string',
    value: 'O',
    help: 'with `sq8`: range of the activations: `minmax` (default), or `histogram`, which ignores rare outliers',
  },
  merge: {
    type: 'string',
    multiple: true,
    value: 'FILE[:SCALE]',
    help: 'add this LoRA adapter to the weights, a folder of PEFT, a GGUF file or hf:OWNER/NAME; may be given more than once',
  },
  name: { type: 'string', value: 'NAME', help: "the model's name in the metadata of the file" },
} as const satisfies OptionTable;

export function convertSettings(options: OptionValues<typeof CONVERT_OPTIONS>): ConvertOptions {
  requiredOption('to', options.to);
  const to = choiceOption('to', options.to, FORMATS)!;
  const quantize = choiceOption('quantize', options.quantize, QUANTIZATIONS);
  const groupSize = countOption('group-size', options['group-size'], 0);
  const scaleType = choiceOption('scale-type', options['scale-type'], ['fp16', 'fp32']);
  const bits = numberOption('bits', options.bits);
  const observer = choiceOption('observer', options.observer, ['minmax', 'histogram']);
  return {
    to,
    ...(quantize === undefined ? {} : { quantize }),
    ...(groupSize === undefined ? {} : { groupSize }),
    ...(scaleType === undefined ? {} : { scaleType }),
    ...(bits === undefined ? {} : { bits }),
    ...(options.calibrate === undefined ? {} : { calibration: calibrationImages(options.calibrate) }),
    ...(observer === undefined ? {} : { observer }),
    ...(options.merge === undefined ? {} : { merge: options.merge.map(adapterArgument) }),
    ...(options.name === undefined ? {} : { metadata: { [nameKey(to)]: options.name } }),
  };
}

/** The metadata entry for the model's name. */
function nameKey(format: ConvertOptions['to']): string {
  return format === 'weights' ? 'model_name' : 'name';
}
