// The options of `convert` as the library takes them.
import type { ConvertOptions, Quantization } from '../../index.js';
import { choiceOption, countOption, numberOption, requiredOption } from './arguments.js';
import { calibrationImages } from '../models/calibration_folder.js';
import type { OptionTable, OptionValues } from '../command.js';

const FORMATS = ['amb', 'alt', 'weights', 'safetensors', 'tinyruntime'] as const;
const QUANTIZATIONS = [
  'none', 'f16', 'bf16', 'int8', 'int4', 'int5', 'int4block', 'int5block', 'adaptive', 'int8-row', 'int8-group',
  'dq8', 'dq8-symmetric', 'sq8',
] as const satisfies readonly Quantization[];

export const CONVERT_OPTIONS = {
  to: { type: 'string', short: 't' },
  quantize: { type: 'string', short: 'q' },
  'group-size': { type: 'string', short: 'g' },
  'scale-type': { type: 'string' },
  bits: { type: 'string', short: 'b' },
  calibrate: { type: 'string' },
  observer: { type: 'string' },
  name: { type: 'string' },
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
    ...(options.name === undefined ? {} : { metadata: { [nameKey(to)]: options.name } }),
  };
}

/** The entry of the metadata that tells a model's name. */
function nameKey(format: ConvertOptions['to']): string {
  return format === 'weights' ? 'model_name' : 'name';
}
