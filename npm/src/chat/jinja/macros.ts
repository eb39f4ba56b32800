// Macros, and the bodies of call blocks, which are macros as well.

import { renderError } from './errors.js';
import { evaluate } from './evaluator.js';
import { spend } from './limits.js';
import { Scope } from './scope.js';
import type { Signature, Statement } from './syntax.js';
import { type Text, text } from './text.js';
import { Callable, Dict, orElse, Tuple, Undefined, type Value } from './values.js';

/** `scope`: where it is defined, whose names it sees. `render` runs its body. */
export function macro(
  name: string,
  { parameters, defaults }: Signature,
  body: readonly Statement[],
  scope: Scope,
  render: (body: readonly Statement[], scope: Scope) => Text,
): Callable {
  const uses = (special: string) => !parameters.includes(special) && mentions(body, special);
  const [takesMore, takesNamed, takesCaller] = [uses('varargs'), uses('kwargs'), uses('caller')];
  const call = (args: readonly Value[], kwargs: ReadonlyMap<string, Value>): Value => {
    const inner = new Scope(scope);
    const named = new Map(kwargs);
    parameters.forEach((parameter, i) => {
      const value = i < args.length ? args[i] : named.get(parameter);
      if (i < args.length && named.has(parameter))
        throw renderError(`macro '${name}': argument '${parameter}' is given twice`);
      named.delete(parameter);
      const otherwise = defaults[i - parameters.length + defaults.length];
      inner.set(
        parameter,
        orElse(value, () =>
          otherwise ? evaluate(otherwise, inner) : new Undefined(`parameter '${parameter}' is not given`),
        ),
      );
    });
    if (takesCaller) {
      inner.set(
        'caller',
        orElse(named.get('caller'), () => new Undefined("there is no 'caller': the macro is not called by {% call %}")),
      );
      named.delete('caller');
    }
    if (takesNamed) inner.set('kwargs', Dict.from(Array.from(named, ([key, value]) => [text(key), value])));
    else for (const key of named.keys()) throw renderError(`macro '${name}' has no parameter '${key}'`);
    if (takesMore) inner.set('varargs', new Tuple(args.slice(parameters.length)));
    else if (args.length > parameters.length)
      throw renderError(`macro '${name}' takes at most ${parameters.length} arguments, not ${args.length}`);
    return render(body, inner);
  };
  const attributes = {
    name: text(name),
    arguments: new Tuple(parameters.map(text)),
    catch_kwargs: takesNamed,
    catch_varargs: takesMore,
    caller: takesCaller,
  };
  return new Callable(name, call, attributes);
}

/** Whether the tree has this name in it. */
function mentions(node: unknown, name: string): boolean {
  spend(0.25);
  if (typeof node !== 'object' || node === null) return false;
  if (Array.isArray(node)) return node.some((each) => mentions(each, name));
  const { kind, name: own } = node as { kind?: string; name?: string };
  if (kind === undefined) return Object.values(node).some((each) => Array.isArray(each) && mentions(each, name));
  if (kind === 'name') return own === name;
  return Object.values(node).some((each) => mentions(each, name));
}
