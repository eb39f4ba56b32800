// Keyword search ignores case, accents, points, strokes, compatibility forms and the script of digits. It follows
// Lucene's ICUFoldingFilter (lucene/analysis/icu/src/data/utr30), but keeps what distinguishes words of a script:
// viramas and tones of India and South-East Asia, the vowels of Thaana, and voicing and length in kana.

/**
 * Default_Ignorable_Code_Point (Unicode 15.0): never part of a word, and never its end (UAX #29, WB4). U+200B is left
 * out: it marks where words end.
 */
export const ignorable =
  'ad 34f 61c 115f-1160 17b4-17b5 180b-180f 200c-200f 202a-202e 2060-206f 3164 fe00-fe0f feff ffa0 fff0-fff8 1bca0-1bca3 ' +
  '1d173-1d17a e0000-e0fff';

/**
 * Symbols (So) that are letters or words: in circles, squares and parentheses, radicals of Han and the marks of kanbun
 * (Unicode 13.0). Those that follow a word, such as ™, are none.
 */
export const symbols =
  '249c-24e9 2e81-2e99 2e9b-2ef3 2f00-2fd5 3196-319f 3200-321e 322a-33ff 1f110-1f12e 1f130-1f169 1f170-1f189 1f190 1f200-1f202 ' +
  '1f210-1f23b 1f240-1f248 1f250-1f251';

/**
 * Accents, points, tatweel, nuktas, Vedic and musical marks, and modifier letters such as the apostrophe of Hawaiʻi.
 */
export const accents =
  '2b9-344 346-36f 483-489 559 591-5c7 610-61a 640 64b-65f 670 6d6-6dc 6df-6e8 6ea-6ed 711 730-74a 7eb-7f5 7fa 7fd 816-82d 859-85b ' +
  '8d3-8ff 93c 951-954 971 9bc a3c abc b3c cbc 135d-135f 1ab0-1aff 1cd0-1ce8 1ced 1cf4 1cf7-1cf9 1dc0-1dff 20d0-20f0 2cef-2cf1 2de0-2dff ' +
  '2e2f 302a-302f a66f-a67f a69e-a69f a6f0-a6f1 a717-a721 a788 a8e0-a8f1 fb1e fe20-fe2f 101fd 102e0 10ae5-10ae6 10d24-10d27 ' +
  '10eab-10eac 10f46-10f50 1133b-1133c 16af0-16af4 16b30-16b36 1d165-1d244 1e130-1e136 1e2ec-1e2ef 1e944-1e94a';

/**
 * Each first the letters that stand for the others, which Unicode does not decompose. From DiacriticFolding.txt; ᲀ to ᲈ
 * and the iota below Greek letters (U+0345) by case folding (CaseFolding.txt); the chillus of Malayalam and the khanda
 * ta of Bengali are also written with a virama and a joiner (Unicode Standard, 12.2 and 12.9).
 */
const letters =
  'a ɐɑɒəɚᴀᶏᶐᶕⱥ|aa ꜳ|ae æᴁᴂ|ao ꜵ|au ꜷ|av ꜹꜻ|ay ꜽ|b ƀƃƅɓʙᴃᵬᶀ|c ƈȼɕʗᴄↄꜿ|d ðđƌƍȡɖɗᴅᴆᵭᶁᶑẟꝺ|db ȸ|dz ʣʥ|e ǝɇɘɛɜɝɞʚᴇᴈᶒᶓᶔⱸⱻ|f ƒᵮᶂⅎꜰꝼꟻ|' +
  'fn ʩ|g ǥɠɡɢʛᵷᵹᶃꝿ|h ħɥɦʜʮʯⱨⱶ|hv ƕ|i ıɨɩɪᴉᵻᵼᶖꟾ|j ȷɉɟʄʝᴊ|k ƙʞᴋᶄⱪꝁꝃꝅ|l łƚȴɫɬɭʟᴌᶅⱡꝇꝉꞁ|ll ỻ|ls ʪ|lz ʫ|m ɯɰɱᴍᴟᵯᶆꟽꟿ|n ŋƞȵɲɳɴᴎᵰᶇ|' +
  'o øɔɵʘᴏᴐᴑᴓᴖᴗᶗⱺꝋꝍ|oe œɶᴔ|oo ꝏ|ou ȣᴕ|p ƥᴘᵱᵽᶈꝑꝓꝕꟼ|q ĸɋʠꝗꝙ|qp ȹ|r ɍɼɽɾɿʀʁᴙᴚᵲᵳᶉꝛꞃ|s ȿʂᵴᶊẜẝꜱꞅ|ss ß|t ŧƫƭȶʇʈᴛᵵⱦꞇ|tc ʨ|th þᵺꝥꝧ|' +
  'ts ʦ|tz ꜩ|u ʉᴜᴝᴞᵾᶙ|ue ᵫ|v ʋʌᴠᶌỽⱱⱴꝟꝩ|vy ꝡ|w ƿʍᴡⱳ|ww ʬ|x ᶍ|y ƴɏʎʏỿ|z ƶȝȥɀʐʑᴢᵶᶎⱬꝣ|ι \u0345|σ ς|в ᲀ|г ґғҕ|д ᲁ|' +
  'ж җ|з ҙ|и ҋ|к қҝҟӄ|л ӆ|м ӎ|н ңӈӊ|о ᲂ|п ҧ|р ҏ|с ҫᲃ|т ҭᲄᲅ|х ҳ|ч ҷҹӌ|ъ ᲆ|ѡ ѽ|ѣ ᲇ|ү ұ|ҽ ҿ|ꙋ ᲈ|' +
  'ত্ ৎ|ണ് ൺ|ന് ൻ|ര് ർ|ല് ൽ|ള് ൾ|ക് ൿ|ا ٱ|ه ة|ي ىی|ك ک|0 ⓿🄋🄌|1 ᧚𐩀|2 ƻ𐩁|3 𐩂|4 𐩃|5 ƽ';

/** Zeros that are followed by the other digits of their script, as decimal digits are. */
const zeros =
  '660 6f0 7c0 966 9e6 a66 ae6 b66 be6 c66 ce6 d66 de6 e50 ed0 f20 1040 1090 17e0 1810 1946 19d0 1a80 1a90 1b50 1bb0 1c40 1c50 a620 ' +
  'a8d0 a900 a9d0 a9f0 aa50 abf0 104a0 10d30 11066 110f0 11136 111d0 112f0 11450 114d0 11650 116c0 11730 118e0 11950 11c50 11d50 11da0 ' +
  '16a60 16b50 1e140 1e2f0 1e950';
/** Ones that are followed by the digits to 9, of scripts and symbols without a zero. */
const ones = '1369 24f5 2776 2780 278a 10e60 11052';

/** Letters A to Z in black circles and squares. */
const blackLetters = '1f150 1f170';
/** Numerals of Hangzhou from one on. */
const hangzhou = '3021';
/**
 * The ideographs of the radicals from U+2E81 on (EquivalentUnifiedIdeograph.txt), with a space for the unassigned
 * U+2E9A.
 */
const radicals =
  '厂乛乚乙亻冂𠘨刀刂卜㔾小小兀尣尢𡯂巳幺彑𫜹忄心扌攵 旡日月歺母民氵氺灬爫爫丬牛犭王𤴔目示礻𥫗糹纟罓罒㓁冗𦉫羊𦍌𦍋耂肀聿肉𦥑艹艹艹虎衤覀西见角𧢲讠贝𧾷车辶辶辶邑钅長镸长门𨸏阝雨青韦页风飞食𩙿飠饣𩠐马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟';

/** Replacements of characters, after their compatibility decomposition and in lower case. */
export function replacements(): Map<string, string> {
  const map = new Map<string, string>();
  for (const line of letters.split('|')) {
    const [plain, others] = line.split(' ') as [string, string];
    for (const other of others) map.set(other, plain);
  }
  const addRows = (starts: string, row: string) => {
    for (const start of starts.split(' '))
      [...row].forEach((plain, i) => map.set(String.fromCodePoint(parseInt(start, 16) + i), plain));
  };
  addRows(zeros, '0123456789');
  addRows(ones, '123456789');
  addRows(blackLetters, 'abcdefghijklmnopqrstuvwxyz');
  addRows(hangzhou, '一二三四五六七八九');
  addRows('2e81', radicals);
  return map;
}
