// The form that texts are kept to: an object of four lists and texts, as a grammar that all contestants read.
export const GRAMMAR = `root ::= "{" pair ("," pair){3} "}"
pair ::= "\\"" [a-z]{2,8} "\\":" value
value ::= "[" number ("," number){2} "]" | "\\"" [a-z ]{8,24} "\\""
number ::= [1-9] [0-9]{0,2}
`;

/** More than any text of the form has. */
export const MOST_TOKENS = 250;

const NUMBER = '[1-9][0-9]{0,2}';
const PAIR = `"[a-z]{2,8}":(\\[${NUMBER}(,${NUMBER}){2}\\]|"[a-z ]{8,24}")`;
const FORM = new RegExp(`^\\{${PAIR}(,${PAIR}){3}\\}$`);

export const isOfForm = (text) => FORM.test(text);
