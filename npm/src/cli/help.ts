// The help texts: of the program, of a command group, and of a command, made from its table of options.
import type { Command, CommandGroup, Option, OptionTable } from './command.js';
import { COMMANDS } from './command_list.js';
import { COMMON_OPTIONS } from './options/arguments.js';

const WIDTH = 100;
const LABEL_WIDTH = 30;

export function overview(): string {
  return `Usage: quintet <command> [options]

Sentence embeddings, semantic search, text generation and image classification on this machine.

Commands:
${summaries(Object.entries(COMMANDS))}

Options:
      --version               show the version
${optionRows(COMMON_OPTIONS)}

'quintet help <command>' shows the options of a command. '-' stands for stdin or stdout.
Exit status: 0 success; 1 a check failed, or some input lines were bad; 2 bad usage or bad input.`;
}

export function groupHelp(name: string, { usage, description, commands }: CommandGroup): string {
  return `${usageLines(usage)}

${description}

Commands:
${summaries(Object.entries(commands))}

'quintet help ${name} <command>' shows the options of a command.`;
}

export function commandHelp({ usage, description, options, notes, examples }: Command): string {
  const own = Object.entries(options);
  const headings = new Set(own.map(([, option]) => option.section));
  headings.delete(undefined);
  const plain = own.filter(([, option]) => option.section === undefined);
  const blocks = [
    usageLines(usage),
    description,
    `Options:\n${optionRows({ ...Object.fromEntries(plain), ...COMMON_OPTIONS })}`,
    ...Array.from(headings, (heading) => {
      const listed = own.filter(([, option]) => option.section === heading);
      return `${heading}:\n${optionRows(Object.fromEntries(listed))}`;
    }),
    ...(notes === undefined ? [] : [notes]),
    `Examples:\n${examples.map((example) => `  ${example}`).join('\n')}`,
  ];
  return blocks.join('\n\n');
}

function usageLines(usage: readonly string[]): string {
  return usage.map((form, i) => `${i === 0 ? 'Usage:' : '      '} quintet ${form}`).join('\n');
}

function summaries(entries: readonly [string, { summary: string }][]): string {
  return entries.map(([name, { summary }]) => `  ${name.padEnd(12)}${summary}`).join('\n');
}

function optionRows(options: OptionTable): string {
  return Object.entries(options)
    .map(([name, option]) => optionRow(name, option))
    .join('\n');
}

/**
 * The label, and next to it the help in lines that fit, without the marks of code; a label that is too long has its own
 * line.
 */
function optionRow(name: string, { short, value, help }: Option): string {
  const letter = short === undefined ? '    ' : `-${short}, `;
  const label = `  ${letter}--${name}${value === undefined ? '' : ` ${value}`}`;
  const indent = ' '.repeat(LABEL_WIDTH);
  const text = wrapped(help.replaceAll('`', ''), WIDTH - LABEL_WIDTH).join(`\n${indent}`);
  return label.length < LABEL_WIDTH - 1 ? label.padEnd(LABEL_WIDTH) + text : `${label}\n${indent}${text}`;
}

function wrapped(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
