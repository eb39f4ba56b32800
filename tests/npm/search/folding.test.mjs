// Differences that keyword search ignores: invisible characters, and forms of letters and digits. The references are
// Lucene's ICUFoldingFilter and ASCIIFoldingFilter (lucene/analysis/icu/src/data/utr30, ASCIIFoldingFilter.java), and
// rule WB4 of UAX #29.
import { SearchIndex } from 'quintet';
import { readSafetensors } from 'quintet/safetensors';
import { indexOf } from './search_texts.mjs';

const finds = async (text, query) =>
  (await indexOf([text, 'something else']).search(query)).some(({ id }) => id === '0');

/** All words of these texts, each once. */
async function wordsOf(texts) {
  const index = new SearchIndex({ dimension: 1 });
  texts.forEach((text, i) => index.add({ id: String(i), vector: Float32Array.of(1), text }));
  const { tensors } = await readSafetensors(await index.save());
  const { data } = tensors.get('keywords') ?? { data: new TextEncoder().encode('[]') };
  return JSON.parse(new TextDecoder().decode(data));
}

/** All characters that an expression matches. */
const charactersOf = (expression) => {
  const all = [];
  for (let c = 0; c < 0x110000; ++c) if (expression.test(String.fromCodePoint(c))) all.push(String.fromCodePoint(c));
  return all;
};

describe('invisible characters', () => {
  test.each([
    ['soft hyphens', 'Reise\u00adkosten\u00adabrechnung', 'Reisekostenabrechnung'],
    ['non-joiners of Persian', 'می\u200cخواهم', 'میخواهم'],
    ['joiners of Hindi', 'क्\u200dष', 'क्ष'],
    ['joiners of Malayalam', 'അവന്\u200d', 'അവൻ'],
    ['joiners of Bengali', 'হঠাত্\u200d', 'হঠাৎ'],
    ['word joiners', 'foo\u2060bar', 'foobar'],
    ['byte order marks', 'foo\ufeffbar', 'foobar'],
    ['marks and isolates of direction', '\u2067\u200fשל\u200eום\u2069', 'שלום'],
    ['combining grapheme joiners', 'foo\u034fbar', 'foobar'],
    ['variation selectors of Han', '葛\u{e0100}城市', '葛城'],
    ['compatibility variants of Han', '辻\ufe00堂', '辻堂'],
    ['variation selectors of Mongolian', '\u1820\u180b\u1821', '\u1820\u1821'],
    ['inherent vowels of Khmer', 'ក\u17b5ម', 'កម'],
    ['Hangul fillers', '가\u3164나', '가나'],
    ['half width Hangul fillers', '가\uffa0나', '가나'],
    ['tags', 'foo\u{e0041}bar', 'foobar'],
    ['shorthand controls', 'foo\u{1bca0}bar', 'foobar'],
    ['keycaps', '1\ufe0f\u20e3 apples', '1'],
    ['letters in the form of emoji', '\u2139\ufe0f note', 'i'],
    ['several of them, at the ends too', '\ufeff\u200dfoo\u00ad\u200bbar', 'foo'],
  ])('%s are not part of a word', async (_, text, query) => {
    expect(await finds(text, query)).toBe(true);
    expect(await finds(query, text)).toBe(true);
  });

  test.each([
    ['a part of a word with them', 'می\u200cخواهم', 'خواهم'],
    ['another emoji', 'settings \u2699\ufe0f', '\u2764\ufe0f'],
    ['another emoji with a skin tone and joiners', '👩\u200d👧 👍🏽', '👨\u200d👦'],
    ['flags of tags', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e007f}', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e007f}'],
    ['fillers alone', '\u3164', '\u3164'],
    ['what the boundary U+200B separates', 'foo\u200bbar', 'foobar'],
    ['what the line end U+0085 separates', 'foo\u0085bar', 'foobar'],
    ['a word with a trade mark sign', 'Quintet™', 'quintettm'],
  ])('%s is not found', async (_, text, query) => expect(await finds(text, query)).toBe(false));

  test('everything that Unicode calls default-ignorable, except U+200B', async () => {
    const ignorable = charactersOf(/^\p{Default_Ignorable_Code_Point}$/u).filter((c) => c !== '\u200b');
    expect(ignorable.length).toBeGreaterThan(4000);
    expect(await wordsOf(ignorable.map((c) => `${c}foo${c}${c}bar${c} ${c}`))).toEqual(['foobar']);
  });
});

describe('folding', () => {
  test.each([
    ['Vietnamese', 'Đường Nguyễn, Đà Nẵng', 'duong'],
    ['Polish', 'Łódź', 'lodz'],
    ['Danish', 'Ørsted', 'orsted'],
    ['Maltese', 'Għawdex Ħamrun', 'hamrun'],
    ['Northern Sámi', 'Ŧállu', 'tallu'],
    ['Turkish', 'IŞIK', 'ışık'],
    ['French', 'cœur', 'coeur'],
    ['Icelandic', 'Þórður Æsir', 'thordur'],
    ['ash', 'Æsir', 'aesir'],
    ['capital sharp s', 'GROẞ', 'gross'],
    ['eng', 'Ŋuŋa', 'nuna'],
    ['Azerbaijani', 'Əliyev', 'aliyev'],
    ['Romanian', 'Bucureşti', 'București'],
    ['turned comma of Hawaiian', 'Hawaiʻi', 'hawaii'],
    ['ligatures', 'ﬁnal oﬃce', 'office'],
    ['long s', 'ſtraſſe', 'strasse'],
    ['Ukrainian', 'Ґалаґан', 'галаган'],
    ['Kazakh', 'Қазақ', 'казак'],
    ['Old Cyrillic forms', 'ᲀода', 'вода'],
    ['accents of Church Slavonic', 'бг҃ъ', 'бгъ'],
    ['polytonic Greek', 'ἄνθρωπος', 'ανθρωποσ'],
    ['points of Hebrew', 'שָׁלוֹם', 'שלום'],
    ['presentation forms of Hebrew', '\ufb2a\ufb1d', 'שי'],
    ['accents of Hebrew', 'בְּרֵאשִׁ֖ית', 'בראשית'],
    ['vowels of Arabic', 'مُحَمَّد', 'محمد'],
    ['tatweel', 'محـــمد', 'محمد'],
    ['superscript alef', 'هٰذا', 'هذا'],
    ['alef with hamza', 'أحمد إسلام', 'احمد'],
    ['alef with hamza below', 'إسلام', 'اسلام'],
    ['alef with madda', 'آخر', 'اخر'],
    ['alef wasla', 'ٱلله', 'الله'],
    ['teh marbuta', 'مدرسة', 'مدرسه'],
    ['alef maksura', 'على', 'علي'],
    ['Persian kaf and yeh', 'کتابی', 'كتابي'],
    ['presentation forms of Arabic', '\ufee3\ufea4\ufee4\ufeaa', 'محمد'],
    ['points of Syriac', 'ܫܠܳܡܳܐ', 'ܫܠܡܐ'],
    ['nukta', 'फ़िल्म', 'फिल्म'],
    ['Roman numerals', 'Louis ⅩⅣ', 'xiv'],
    ['superscripts', 'x² CO₂', 'co2'],
    ['circled digits', '① ❷', '2'],
    ['mathematical letters', '𝕳𝖊𝖑𝖑𝖔', 'hello'],
    ['iota below Greek letters', 'τῷ λόγῳ', 'τωι'],
    ['iota beside Greek capitals', 'ΤΩΙ', 'τῷ'],
    ['ue', 'ᵫ', 'ue'],
    ['circled zeros', 'x🄋🄌', 'x00'],
    ['Hangzhou numerals', '〡〢〩', '一二九'],
    ['Kangxi radicals', '⼈⼯智能', '人工'],
    ['radicals that decompose', '分⺟', '分母'],
    ['other radicals', '⻯⻁', '竜虎'],
    ['circled letters', 'ⓐⓑⓒ', 'abc'],
    ['squared letters', '🄰🄱', 'ab'],
    ['black circled and squared letters', '🅐🅱', 'ab'],
    ['letters in parentheses', 'x⒜', 'a'],
    ['squared katakana', '㌔㍍', 'キロメートル'],
    ['squared ideographs', '㍿東芝', '株式会社'],
    ['ideographs in parentheses', '㈱東芝', '東芝'],
    ['squared units', '5㎏', '5kg'],
    ['kanbun', '㆖', '上'],
  ])('%s', async (_, text, query) => {
    expect(await finds(text, query)).toBe(true);
    expect(await finds(text.toUpperCase(), query)).toBe(true);
    expect(await finds(text.normalize('NFD'), query.normalize('NFD'))).toBe(true);
  });

  test.each([
    ['Arabic', '٢٠٢٤'],
    ['Persian', '۲۰۲۴'],
    ['Hindi', '२०२४'],
    ['Bengali', '২০২৪'],
    ['Tamil', '௨௦௨௪'],
    ['Thai', '๒๐๒๔'],
    ['Khmer', '២០២៤'],
    ['Burmese', '၂၀၂၄'],
    ['Tibetan', '༢༠༢༤'],
    ['Adlam', '𞥒𞥐𞥒𞥔'],
    ['full width', '２０２４'],
  ])('digits: %s', async (_, year) => {
    expect(await finds(`in ${year}.`, '2024')).toBe(true);
    expect(await finds('2024', year)).toBe(true);
  });

  test.each([
    ['vowels of Hindi', 'कि', 'की'],
    ['viramas', 'पत्ता', 'पतता'],
    ['tones of Thai', 'ม้า', 'มา'],
    ['voiced kana', 'ガラ', 'カラ'],
    ['long vowels of kana', 'ビール', 'ビル'],
    ['vowels of Thaana', 'ދަރި', 'ދިރަ'],
  ])('%s distinguish words', async (_, text, query) => expect(await finds(text, query)).toBe(false));

  // Decimal digits come in tens, from 0 (Unicode Standard, 4.6).
  test('every decimal digit becomes one of ASCII, or is newer than the rules', async () => {
    const digits = charactersOf(/^\p{Nd}$/u);
    let first = 0;
    let newer = 0;
    for (const character of digits) {
      const c = character.codePointAt(0);
      if (!/\p{Nd}/u.test(String.fromCodePoint(c - 1))) first = c;
      const words = await wordsOf([character]);
      if (words.length === 0) newer += 1;
      else expect([character, words]).toEqual([character, [String((c - first) % 10)]]);
    }
    // Unicode 13 has 650.
    expect(digits.length - newer).toBe(650);
  });

  // NFKC folds them, except for black letters and most radicals.
  test('every symbol that is a letter or belongs to a script is a word, equal to its compatibility form', async () => {
    const scripts = ['Han', 'Hangul', 'Katakana'].map((script) => `\\p{Script=${script}}`).join('');
    const letters = charactersOf(new RegExp(`^(?=\\p{So})[\\p{Alphabetic}${scripts}]$`, 'u'));
    expect(letters.length).toBeGreaterThan(600);
    for (const letter of letters) {
      const words = await wordsOf([letter]);
      expect([letter, words]).toEqual([letter, await wordsOf([letter.normalize('NFKC')])]);
      // This one is the only radical to which Unicode gives no ideograph.
      expect(words.length > 0).toBe(letter !== '\u2e80');
      expect(words.join('')).not.toMatch(/\p{So}/u);
    }
  });

  test('no mark of an alphabet without vowel signs is part of a word', async () => {
    const scripts = [
      'Hebrew',
      'Arabic',
      'Syriac',
      'Latin',
      'Greek',
      'Cyrillic',
      'Coptic',
      'Samaritan',
      'Nko',
      'Ethiopic',
      'Inherited',
    ];
    const marks = charactersOf(
      new RegExp(`^(?=\\p{Mn})[${scripts.map((script) => `\\p{Script=${script}}`).join('')}]$`, 'u'),
    );
    const kana = ['\u3099', '\u309a'];
    // U+0345 is a letter (CaseFolding.txt).
    const dropped = marks.filter((mark) => ![...kana, '\u0345'].includes(mark));
    expect(dropped.length).toBeGreaterThan(600);
    // Newer ones are boundaries, as all that is not assigned.
    expect((await wordsOf(dropped.map((mark) => `a${mark}b`))).sort()).toEqual(['a', 'ab', 'b']);
    expect(await wordsOf(kana.map((mark) => `か${mark}`))).toEqual(['が', 'か\u309a']);
  });

  test('every letter of ASCIIFoldingFilter becomes one of ASCII', async () => {
    // Latin-1 to Latin Extended-B and Latin Extended Additional have nearly all letters that are in use.
    const letters = charactersOf(/^(?=\p{L})[\u00c0-\u0236\u1e00-\u1eff]$/u).filter(
      (c) => !/[ƉƐƔƖƗƛƜƞƟƠƢƣƧƨƩƪƱƷƸƹƺƾǀǁǂǃǮǯǶɁɂ]/.test(c),
    );
    expect((await wordsOf(letters)).filter((word) => !/^[a-z0-9]+$/.test(word))).toEqual([]);
  });
});
