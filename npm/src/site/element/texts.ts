// The texts of the element, in the twenty languages that most web sites are written in
// (https://w3techs.com/technologies/overview/content_language), traditional Chinese, Hebrew and Hindi. One table:
// compressed it is smaller than the requests for a file a language would be.

const names = [
  'search',
  'clear',
  'close',
  'filters',
  'more',
  'none',
  'failed',
  'again',
  'navigate',
  'open',
  'count',
] as const;

type Name = (typeof names)[number];

/** `{query}` and `{count}` are filled in. Forms of a number: `one:…|other:…`, by the plural rules of the language. */
export type Texts = Record<Name, string> & { lang: string; dir: 'ltr' | 'rtl' };

// biome-ignore format: a row a language
const table: Record<string, string[]> = {
  en: ['Search', 'Clear', 'Close', 'Filters', 'More results', 'No results for “{query}”', 'The search could not be loaded.', 'Try again', 'navigate', 'open', 'one:{count} result|other:{count} results'],
  ar: ['بحث', 'مسح', 'إغلاق', 'عوامل التصفية', 'مزيد من النتائج', 'لا توجد نتائج لـ «{query}»', 'تعذر تحميل البحث.', 'أعد المحاولة', 'تنقّل', 'فتح', 'zero:لا توجد نتائج|one:نتيجة واحدة|two:نتيجتان|few:{count} نتائج|many:{count} نتيجة|other:{count} نتيجة'],
  cs: ['Hledat', 'Vymazat', 'Zavřít', 'Filtry', 'Další výsledky', 'Žádné výsledky pro „{query}“', 'Vyhledávání se nepodařilo načíst.', 'Zkusit znovu', 'pohyb', 'otevřít', 'one:{count} výsledek|few:{count} výsledky|many:{count} výsledku|other:{count} výsledků'],
  de: ['Suchen', 'Leeren', 'Schließen', 'Filter', 'Weitere Ergebnisse', 'Keine Ergebnisse für „{query}“', 'Die Suche konnte nicht geladen werden.', 'Erneut versuchen', 'bewegen', 'öffnen', 'one:{count} Ergebnis|other:{count} Ergebnisse'],
  es: ['Buscar', 'Borrar', 'Cerrar', 'Filtros', 'Más resultados', 'No hay resultados para «{query}»', 'No se pudo cargar la búsqueda.', 'Reintentar', 'navegar', 'abrir', 'one:{count} resultado|other:{count} resultados'],
  fa: ['جستجو', 'پاک کردن', 'بستن', 'فیلترها', 'نتایج بیشتر', 'نتیجه‌ای برای «{query}» پیدا نشد', 'جستجو بارگیری نشد.', 'تلاش دوباره', 'حرکت', 'باز کردن', 'other:{count} نتیجه'],
  fr: ['Rechercher', 'Effacer', 'Fermer', 'Filtres', 'Plus de résultats', 'Aucun résultat pour « {query} »', 'La recherche n’a pas pu être chargée.', 'Réessayer', 'naviguer', 'ouvrir', 'one:{count} résultat|other:{count} résultats'],
  he: ['חיפוש', 'ניקוי', 'סגירה', 'מסננים', 'תוצאות נוספות', 'אין תוצאות עבור „{query}”', 'לא ניתן לטעון את החיפוש.', 'ניסיון נוסף', 'ניווט', 'פתיחה', 'one:תוצאה אחת|two:{count} תוצאות|other:{count} תוצאות'],
  hi: ['खोजें', 'साफ़ करें', 'बंद करें', 'फ़िल्टर', 'और परिणाम', '“{query}” के लिए कोई परिणाम नहीं', 'खोज लोड नहीं हो सकी।', 'फिर कोशिश करें', 'चलें', 'खोलें', 'other:{count} परिणाम'],
  hu: ['Keresés', 'Törlés', 'Bezárás', 'Szűrők', 'További találatok', 'Nincs találat erre: „{query}”', 'A keresőt nem sikerült betölteni.', 'Újra', 'mozgás', 'megnyitás', 'other:{count} találat'],
  id: ['Cari', 'Hapus', 'Tutup', 'Filter', 'Hasil lainnya', 'Tidak ada hasil untuk “{query}”', 'Pencarian tidak dapat dimuat.', 'Coba lagi', 'navigasi', 'buka', 'other:{count} hasil'],
  it: ['Cerca', 'Cancella', 'Chiudi', 'Filtri', 'Altri risultati', 'Nessun risultato per «{query}»', 'Impossibile caricare la ricerca.', 'Riprova', 'naviga', 'apri', 'one:{count} risultato|other:{count} risultati'],
  ja: ['検索', 'クリア', '閉じる', '絞り込み', 'さらに表示', '「{query}」に一致する結果はありません', '検索を読み込めませんでした。', '再試行', '移動', '開く', 'other:{count} 件の結果'],
  ko: ['검색', '지우기', '닫기', '필터', '결과 더 보기', '“{query}”에 대한 결과가 없습니다', '검색을 불러오지 못했습니다.', '다시 시도', '이동', '열기', 'other:결과 {count}개'],
  nl: ['Zoeken', 'Wissen', 'Sluiten', 'Filters', 'Meer resultaten', 'Geen resultaten voor ‘{query}’', 'Het zoeken kon niet worden geladen.', 'Opnieuw proberen', 'navigeren', 'openen', 'one:{count} resultaat|other:{count} resultaten'],
  pl: ['Szukaj', 'Wyczyść', 'Zamknij', 'Filtry', 'Więcej wyników', 'Brak wyników dla „{query}”', 'Nie udało się wczytać wyszukiwarki.', 'Spróbuj ponownie', 'nawigacja', 'otwórz', 'one:{count} wynik|few:{count} wyniki|many:{count} wyników|other:{count} wyniku'],
  pt: ['Pesquisar', 'Limpar', 'Fechar', 'Filtros', 'Mais resultados', 'Nenhum resultado para “{query}”', 'Não foi possível carregar a pesquisa.', 'Tentar novamente', 'navegar', 'abrir', 'one:{count} resultado|other:{count} resultados'],
  ru: ['Поиск', 'Очистить', 'Закрыть', 'Фильтры', 'Ещё результаты', 'Нет результатов по запросу «{query}»', 'Не удалось загрузить поиск.', 'Повторить', 'навигация', 'открыть', 'one:{count} результат|few:{count} результата|many:{count} результатов|other:{count} результата'],
  tr: ['Ara', 'Temizle', 'Kapat', 'Filtreler', 'Daha fazla sonuç', '“{query}” için sonuç yok', 'Arama yüklenemedi.', 'Yeniden dene', 'gezin', 'aç', 'other:{count} sonuç'],
  uk: ['Пошук', 'Очистити', 'Закрити', 'Фільтри', 'Більше результатів', 'Немає результатів за запитом «{query}»', 'Не вдалося завантажити пошук.', 'Спробувати ще раз', 'навігація', 'відкрити', 'one:{count} результат|few:{count} результати|many:{count} результатів|other:{count} результату'],
  vi: ['Tìm kiếm', 'Xóa', 'Đóng', 'Bộ lọc', 'Thêm kết quả', 'Không có kết quả cho “{query}”', 'Không tải được chức năng tìm kiếm.', 'Thử lại', 'di chuyển', 'mở', 'other:{count} kết quả'],
  zh: ['搜索', '清除', '关闭', '筛选', '更多结果', '没有找到“{query}”的结果', '无法加载搜索。', '重试', '移动', '打开', 'other:{count} 个结果'],
  'zh-hant': ['搜尋', '清除', '關閉', '篩選', '更多結果', '找不到「{query}」的結果', '無法載入搜尋。', '重試', '移動', '開啟', 'other:{count} 個結果'],
};

const rightToLeft = /^(?:ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)(?![a-z])/;
const traditional = /^zh-(?:hant|tw|hk|mo)\b/;

/** Languages of the element's texts. */
export const languages = Object.keys(table);

/** The texts of a language (BCP 47), English where there are none; `own` replaces some of them. */
export function textsOf(lang: string, own: Partial<Record<Name, string>> = {}): Texts {
  const asked = lang.toLowerCase();
  const found = traditional.test(asked) ? 'zh-hant' : asked.split('-')[0]!;
  const known = Object.hasOwn(table, found) ? found : 'en';
  const row = table[known]!;
  const texts = Object.fromEntries(names.map((name, i) => [name, own[name] ?? row[i]])) as Record<Name, string>;
  return { ...texts, lang: known, dir: rightToLeft.test(asked) ? 'rtl' : 'ltr' };
}

/** Attributes that replace texts: `text-close`, and so on. */
export const textAttributes = names.map((name) => `text-${name}`);

/** `Close` of `text-close="Close"`. */
export function ownTexts(element: Element): Partial<Record<Name, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = element.getAttribute(`text-${name}`);
      return text === null ? [] : [[name, text]];
    }),
  );
}

/** '3 results', in the form that the language has for this number. */
export function countText({ count: forms, lang }: Texts, count: number): string {
  const byRule = new Map(forms.split('|').map((form) => form.split(/:(.*)/s) as [string, string]));
  const form = byRule.get(new Intl.PluralRules(lang).select(count)) ?? byRule.get('other') ?? forms;
  return form.replace('{count}', () => new Intl.NumberFormat(lang).format(count));
}
