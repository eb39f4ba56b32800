// The letter, the form and the tools that the page begins with.

import type { ChatTool } from 'quintet';

export const schema = {
  type: 'object',
  properties: {
    customer: { type: 'string', title: 'Name', maxLength: 60 },
    order: { type: 'string', title: 'Order number', pattern: '^[A-Z]{2}-\\d{4}$' },
    problem: { title: 'Problem', enum: ['damaged', 'late', 'wrong item', 'other'] },
    amount: { type: 'number', title: 'Amount in euros', minimum: 0, maximum: 10000, multipleOf: 0.01 },
    refund: { type: 'boolean', title: 'Wants the money back' },
    summary: { type: 'string', title: 'In one sentence', maxLength: 160 },
  },
  required: ['customer', 'order', 'problem', 'amount', 'refund', 'summary'],
};

const text = (maxLength: number) => ({ type: 'string', maxLength });

export const tools: readonly ChatTool[] = [
  {
    name: 'write_reply',
    description: 'Answers the customer by e-mail',
    parameters: { type: 'object', properties: { text: text(200) }, required: ['text'] },
  },
  {
    name: 'pay_back',
    description: 'Pays money back to the customer',
    parameters: {
      type: 'object',
      properties: { order: text(12), euros: { type: 'integer', minimum: 0, maximum: 10000 } },
      required: ['order', 'euros'],
    },
  },
  {
    name: 'hand_over',
    description: 'Hands the letter over to a department',
    parameters: {
      type: 'object',
      properties: { department: { enum: ['shipping', 'accounting', 'repairs'] }, why: text(100) },
      required: ['department', 'why'],
    },
  },
];
