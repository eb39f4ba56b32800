// Words that show how a question is asked, not what it is about. Documents hardly use some of them ('I', 'my'), so
// their frequency there does not give them away.

const lists: Readonly<Record<string, string>> = {
  en: `a about after all an and any are as at be been before being but by can could did do does doing for from get had has have he her
    him his how i if in into is it its just may me might must my no not of off on one or our out over shall she should so some than that
    the their them then there these they this those to too under up us was we were what when where whether which while who whom whose
    why will with without would you your`,
  de: `aber als am an auch auf aus bei bin bis da das dass dem den der des die doch du ein eine einem einen einer eines er es für hat ich
    ihr im in ist ja kann man mein meine mich mir mit muss nach nicht noch nur ob oder sich sie sind so soll um und uns von vor war warum
    was welche welcher welches wenn wer wie wir wird wo zu zum zur über`,
  fr: `a à ai alors au aux avec ce ces cet cette comment dans de des du elle en est et être fait il ils je la le les leur lui ma mais me
    mes mon ne nos notre nous on ou où par pas peut pour pourquoi qu quand que quel quelle quels quelles qui sa sans se ses si son sont
    sur ta te tes ton tu un une vos votre vous y`,
  es: `a al ante como cómo con cuál cuáles cuando cuándo de del desde donde dónde el ella en entre es esta este esto está están hace hacer
    hasta hay la las le lo los me mi mis no o para pero por porque puede puedo qué que quién se ser si sin sobre son su sus un una uno y
    ya yo`,
  it: `a al alla anche che chi ci come con cosa cui da dal dalla dei del della delle di dove e è ed gli ha ho i il in io la le lo ma mi
    mio nel nella non o per perché più può quale quali quando questo se si sono su sul sulla tra un una uno`,
  pt: `a ao aos as com como da das de do dos e é ela ele em entre essa esse esta este eu foi há isso já mas me meu minha na nas no nos não
    o onde os ou para pela pelo por porque pode posso qual quais quando que quem se sem ser seu sua são também um uma`,
  nl: `aan als bij dan dat de der die dit door een en er haar heb heeft het hij hoe ik in is je kan kun maar me met mijn moet naar niet nog
    of om onder ook op over te tot uit van voor waar waarom wanneer was wat we welke wie word wordt ze zich zijn zo`,
};

/** The little words of a language. */
export function littleWords(lang: string): ReadonlySet<string> {
  const name = lang.split('-')[0]!;
  return new Set(Object.hasOwn(lists, name) ? lists[name]!.split(/\s+/) : []);
}
