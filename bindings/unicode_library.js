// A function that modules borrow from the JavaScript engine instead of having tables
// (src/base/unicode/compatibility.cc).
addToLibrary({
  quintet_compatible__sig: 'iip',
  quintet_compatible: (codePoint, out) => {
    const text = String.fromCodePoint(codePoint);
    const decomposed = text.normalize('NFKD');
    if (decomposed === text.normalize('NFD')) return 0;
    const codePoints = Array.from(decomposed, (character) => character.codePointAt(0));
    HEAPU32.set(codePoints, out / 4);
    return codePoints.length;
  },
});
